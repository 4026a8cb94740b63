// Tells whether a search needs postings of text fields. Lists of everything, and lists filtered by keywords,
// numbers, dates or ids, do not: unsealed documents then need not be inverted for the search, which during
// heavy writing is nearly all of the time that its page would take.

import { queriesWithin, readsTexts } from '../../aggregations/parse.ts';
import type { SearchRequest } from '../../api.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { ReadScope } from '../../tail/minis/mini-lists.ts';

/** Levels of queries inside each other that are looked into. */
const MAX_DEPTH = 16;
/** Members of a query on one field that name no field. */
const COMMON = new Set(['boost', '_name']);
/** Members of `bool` that hold queries. */
const CLAUSES = new Set(['must', 'filter', 'should', 'must_not']);
/** Its other members. */
const OTHER_MEMBERS = new Set(['minimum_should_match', 'adjust_pure_negative', ...COMMON]);

/**
 * What a search needs of the tails of indices with these mappings: 'all' wherever it might need postings of
 * texts.
 */
export function neededPostings(request: SearchRequest, mappings: readonly Mapping[]): ReadScope {
  const {
    query,
    postFilter,
    filters,
    explain,
    aggregations,
    suggest,
    highlight = [],
    rescore = [],
  } = request;
  if ((explain !== undefined && explain !== false) || suggest !== undefined || readsTexts(aggregations))
    return 'all';
  const inside = queriesWithin(aggregations);
  const queries = [
    query,
    postFilter,
    ...(filters?.values() ?? []),
    ...inside,
    ...rescore.map((each) => each.query),
    ...highlight.map((each) => each.query),
  ];
  return queries.every((each) => each === undefined || needsNoText(each, mappings, 0))
    ? 'withoutText'
    : 'all';
}

/**
 * Whether a query needs no postings of texts. False also for what is no valid query: the parser reports it.
 */
function needsNoText(query: JsonValue, mappings: readonly Mapping[], depth: number): boolean {
  if (!isObject(query) || depth > MAX_DEPTH) return false;
  const kinds = Object.keys(query);
  const kind = kinds[0];
  if (kind === undefined || kinds.length !== 1) return false;
  const body = query[kind]!;
  if (!isObject(body)) return false;
  const within = (each: JsonValue): boolean => needsNoText(each, mappings, depth + 1);
  switch (kind) {
    case 'match_all':
    case 'match_none':
    case 'ids':
      return true;
    case 'exists':
      return typeof body['field'] === 'string' && isNotText(body['field'], mappings);
    case 'term':
    case 'range':
      return Object.keys(body).every((name) => COMMON.has(name) || isNotText(name, mappings));
    case 'terms':
      return Object.keys(body).every(
        (name) => COMMON.has(name) || (Array.isArray(body[name]) && isNotText(name, mappings)),
      );
    case 'constant_score':
      return body['filter'] !== undefined && within(body['filter']);
    case 'bool':
      return Object.keys(body).every((name) => {
        const clause = body[name]!;
        if (!CLAUSES.has(name)) return OTHER_MEMBERS.has(name);
        return Array.isArray(clause) ? clause.every(within) : within(clause);
      });
    default:
      return false;
  }
}

/** Whether a field is text in no index: it is mapped as something else, or not at all. */
function isNotText(name: string, mappings: readonly Mapping[]): boolean {
  return (
    !name.includes('*') &&
    mappings.every((mapping) => {
      const field = mapping.field(name);
      return field === undefined ? !mapping.isObject(name) : !isText((field.inputs ?? field).spec);
    })
  );
}

/**
 * The rule by which the tail leaves terms out of what it builds for searches without texts
 * (tail/inversion/tail-range.ts).
 */
function isText({ column, index }: FieldSpec): boolean {
  return column === 'none' && (index === 'freqs' || index === 'positions');
}

function isObject(value: JsonValue): value is Exclude<JsonValue & object, JsonValue[]> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
