// Does a search look at the words of texts? A list of everything in some order does not, nor does one that is filtered by
// keywords, numbers, dates or ids. Documents that came a moment ago then need not be inverted for it: while documents
// pour in, that is nearly all that a page would wait for.

import type { JsonValue } from '../../json/value.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { ReadScope } from '../../tail/tail.ts';
import type { SearchRequest } from '../request/request.ts';

/** Queries inside each other that are looked into. */
const MOST_DEPTH = 16;
/** Members of a query on one field that name no field. */
const COMMON = new Set(['boost', '_name']);
/** Members of `bool` that hold queries. */
const CLAUSES = new Set(['must', 'filter', 'should', 'must_not']);
const BESIDE_CLAUSES = new Set(['minimum_should_match', 'adjust_pure_negative', ...COMMON]);

/** What the search will ask of the tails of indices with these mappings. 'all' wherever it might need words. */
export function wantedOf(request: SearchRequest, mappings: readonly Mapping[]): ReadScope {
  const { query, postFilter, filters, explain } = request;
  if (explain === true) return 'all';
  const asked = [query, postFilter, ...(filters?.values() ?? [])];
  return asked.every((each) => each === undefined || isPlain(each, mappings, 0)) ? 'plain' : 'all';
}

/** Whether a query looks at no words. False also for what is no query: whoever reads it says what is wrong. */
function isPlain(query: JsonValue, mappings: readonly Mapping[], depth: number): boolean {
  if (!isObject(query) || depth > MOST_DEPTH) return false;
  const kinds = Object.keys(query);
  const kind = kinds[0];
  if (kind === undefined || kinds.length !== 1) return false;
  const body = query[kind]!;
  if (!isObject(body)) return false;
  const within = (each: JsonValue): boolean => isPlain(each, mappings, depth + 1);
  switch (kind) {
    case 'match_all':
    case 'match_none':
    case 'ids':
      return true;
    case 'exists':
      return typeof body['field'] === 'string' && hasNoWords(body['field'], mappings);
    case 'term':
    case 'range':
      return Object.keys(body).every((name) => COMMON.has(name) || hasNoWords(name, mappings));
    case 'terms':
      return Object.keys(body).every(
        (name) => COMMON.has(name) || (Array.isArray(body[name]) && hasNoWords(name, mappings)),
      );
    case 'constant_score':
      return body['filter'] !== undefined && within(body['filter']);
    case 'bool':
      return Object.keys(body).every((name) => {
        const clause = body[name]!;
        if (!CLAUSES.has(name)) return BESIDE_CLAUSES.has(name);
        return Array.isArray(clause) ? clause.every(within) : within(clause);
      });
    default:
      return false;
  }
}

/** True where no index has words under this name: it is mapped as something else, or not at all. */
function hasNoWords(name: string, mappings: readonly Mapping[]): boolean {
  return (
    !name.includes('*') &&
    mappings.every((mapping) => {
      const field = mapping.field(name);
      return field === undefined ? !mapping.isObject(name) : !isText(field.spec);
    })
  );
}

/** The rule by which the tail leaves terms out of what it builds for plain lists (tail/range.ts). */
function isText({ column, index }: FieldSpec): boolean {
  return column === 'none' && (index === 'freqs' || index === 'positions');
}

function isObject(value: JsonValue): value is Exclude<JsonValue & object, JsonValue[]> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
