// Decides whether a document would match a filter once it is written, for the queries and field types where
// that follows from the document and the mapping alone. For all others it throws Undecidable; it never
// guesses.

import { type Engine, isObject, type JsonObject, type JsonValue, runToEnd } from '@octavo/engine';
import { mappedField, sourceValues, Undecidable } from './filter-fields.ts';

/** A document that is not written yet. */
interface CandidateDocument {
  readonly engine: Engine;
  readonly index: string;
  readonly mappings: JsonObject;
  /** Undefined if the engine will assign one. */
  readonly id: string | undefined;
  readonly source: JsonObject;
}

/** True if the document will match. Throws Undecidable. O(filter × document). */
export function willMatch(filter: JsonValue | undefined, candidate: CandidateDocument): boolean {
  if (!isObject(filter)) throw new Undecidable('the filter is not a query');
  const [kind = '', ...others] = Object.keys(filter);
  const check = Object.hasOwn(CHECKS, kind) && others.length === 0 ? CHECKS[kind] : undefined;
  const body = filter[kind];
  if (check === undefined || !isObject(body)) throw new Undecidable(`the query [${kind}] cannot be checked`);
  return check(body, candidate);
}

type Check = (body: JsonObject, candidate: CandidateDocument) => boolean;

const CHECKS: Readonly<Record<string, Check>> = {
  match_all: () => true,
  match_none: () => false,
  constant_score: ({ filter }, candidate) => willMatch(filter, candidate),
  ids: ({ values }, { id }) => id !== undefined && list(values).includes(id),
  bool: matchesBool,
  exists: ({ field }, candidate) => {
    const values = fieldValues(String(field), candidate);
    if (values.includes('')) throw new Undecidable(`[${String(field)}] holds an empty text`);
    return values.length > 0;
  },
  term: (body, candidate) => {
    const [field, wanted] = onlyField(body, ['value', 'boost']);
    return matchesTerms(field, [isObject(wanted) ? wanted['value'] : wanted], candidate);
  },
  terms: ({ boost: _boost, ...body }, candidate) => {
    const [field, wanted] = onlyField(body, []);
    return matchesTerms(field, list(wanted), candidate);
  },
  match: (body, candidate) => {
    const [field, wanted] = onlyField(body, ['query', 'operator', 'boost']);
    const text = isObject(wanted) ? wanted['query'] : wanted;
    if (mappedField(candidate.mappings, field)?.type !== 'text')
      return matchesTerms(field, [text], candidate);
    if (hasSearchAnalyzer(candidate)) throw new Undecidable('searches use another analyzer');
    const words = tokens(field, String(text), candidate);
    const every = isObject(wanted) && String(wanted['operator'] ?? 'or').toLowerCase() === 'and';
    if (every && words.length === 0) return false;
    const has = (word: string): boolean => matchesTerms(field, [word], candidate);
    return every ? words.every(has) : words.some(has);
  },
  range: (body, candidate) => {
    const [field, bounds] = onlyField(body, ['gte', 'gt', 'lte', 'lt', 'boost']);
    const type = mappedField(candidate.mappings, field)?.type;
    const values = fieldValues(field, candidate);
    if (!isObject(bounds) || (type !== undefined && !NUMERIC.has(type))) {
      throw new Undecidable(`a range of [${field}] cannot be checked`);
    }
    const sides = Object.entries(bounds)
      .filter(([side]) => side !== 'boost')
      .map(([side, bound]) => [side, numeric(field, 'double', bound)] as const);
    return values
      .map((value) => numeric(field, type!, value))
      .some((value) => sides.every(([side, bound]) => isWithinBound(value, side, bound)));
  },
};

/** Types whose values are compared as they are. */
const NUMERIC: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte', 'double']);

function matchesBool(body: JsonObject, candidate: CandidateDocument): boolean {
  const { must, filter, should, must_not: not, minimum_should_match: least, boost: _boost, ...rest } = body;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Undecidable(`[${unknown}] cannot be checked`);
  const wanted = [...list(must), ...list(filter)];
  const some = list(should);
  if (
    least !== undefined &&
    !(Number.isInteger(least) && Number(least) >= 0 && Number(least) <= some.length)
  ) {
    throw new Undecidable('this minimum_should_match cannot be checked');
  }
  const needed = least === undefined ? (wanted.length > 0 || some.length === 0 ? 0 : 1) : Number(least);
  // All clauses are evaluated, so that an undecidable one throws whatever the order.
  const ask = (queries: readonly JsonValue[]): boolean[] =>
    queries.map((query) => willMatch(query, candidate));
  const [all, any, none] = [ask(wanted), ask(some), ask(list(not))];
  return all.every(Boolean) && any.filter(Boolean).length >= needed && !none.some(Boolean);
}

/** True if the field has one of the wanted values. */
function matchesTerms(
  field: string,
  wanted: readonly (JsonValue | undefined)[],
  candidate: CandidateDocument,
): boolean {
  const values = fieldValues(field, candidate);
  const type = mappedField(candidate.mappings, field)?.type;
  if (type === undefined) return false;
  const keys = (value: JsonValue | undefined, isStored: boolean): readonly (string | number | bigint)[] => {
    if (NUMERIC.has(type)) return [numeric(field, type, value)];
    if (type === 'text' && isStored) return tokens(field, String(value), candidate);
    if (type === 'boolean' && String(value) !== 'true' && String(value) !== 'false') {
      throw new Undecidable(`[${field}] is not a boolean`);
    }
    // A number is indexed as it was written, and that spelling is lost.
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'object') {
      throw new Undecidable(`[${field}] is not text`);
    }
    return [String(value)];
  };
  const present = new Set(values.flatMap((value) => keys(value, true)));
  // Evaluated even if the document has no values: a value that the field cannot have makes the filter
  // undecidable.
  return wanted.flatMap((value) => keys(value, false)).some((key) => present.has(key));
}

function fieldValues(field: string, { mappings, source }: CandidateDocument): readonly JsonValue[] {
  const mapped = mappedField(mappings, field);
  if (mapped === undefined) {
    if (sourceValues(source, field, true).length === 0) return [];
    throw new Undecidable(`the field [${field}] has no mapping yet`);
  }
  const values = sourceValues(source, mapped.path, false);
  const { ignoreAbove } = mapped;
  if (ignoreAbove !== undefined && values.some((value) => String(value).length > ignoreAbove)) {
    throw new Undecidable(`[${field}] is longer than its ignore_above`);
  }
  return values;
}

/** Exact for integers. Throws Undecidable for values that would be rounded or parsed from text. */
function numeric(field: string, type: string, value: JsonValue | undefined): number | bigint {
  if (typeof value === 'bigint') return type === 'double' ? Number(value) : value;
  if (typeof value !== 'number' || (type !== 'double' && !Number.isSafeInteger(value))) {
    throw new Undecidable(`[${field}] is not a number of its type`);
  }
  return type === 'double' ? value : BigInt(value);
}

function isWithinBound(value: number | bigint, side: string, bound: number | bigint): boolean {
  if (side === 'gte') return value >= bound;
  if (side === 'gt') return value > bound;
  return side === 'lte' ? value <= bound : value < bound;
}

/** True if searches use another analyzer than indexing. */
function hasSearchAnalyzer({ engine, index }: CandidateDocument): boolean {
  const { settings = {} } = engine.indices.info(index) ?? {};
  return Object.keys(settings).some((name) => name.includes('.default_search.'));
}

function tokens(field: string, text: string, { engine, index }: CandidateDocument): string[] {
  const found = runToEnd(engine.indices.analyze(index, { field, text }))['tokens'];
  return list(found as JsonValue | undefined).map((each) => String((each as JsonObject)['token']));
}

/** The one field of a body and the value it asks for. Throws Undecidable for unknown options. */
function onlyField(
  body: JsonObject,
  options: readonly string[],
): [field: string, wanted: JsonValue | undefined] {
  const [field = '', ...others] = Object.keys(body);
  const wanted = body[field];
  const unknown = isObject(wanted) ? Object.keys(wanted).find((name) => !options.includes(name)) : others[0];
  if (field === '' || others.length > 0 || unknown !== undefined) {
    throw new Undecidable(`[${unknown ?? others[0] ?? 'nothing'}] cannot be checked`);
  }
  return [field, wanted];
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}
