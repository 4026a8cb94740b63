// Completion in the query editor: members of a search body, kinds of queries and aggregations, and the fields of the mapping, by what the
// word stands in.

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { jsonPath } from './json-path.ts';

const words = (type: string, detail: string, labels: string): readonly Completion[] =>
  labels.split(' ').map((label) => ({ label, type, detail }));

const BODY = words(
  'property',
  'search',
  'query aggs sort size from _source highlight track_total_hits search_after post_filter collapse fields tokens as_of explain',
);
const QUERIES = words(
  'keyword',
  'query',
  'match match_all match_phrase match_phrase_prefix multi_match term terms range exists prefix wildcard fuzzy regexp ids bool dis_max constant_score function_score query_string simple_query_string boosting distance_feature',
);
const CLAUSES = words('property', 'bool', 'must should filter must_not minimum_should_match boost');
const AGGREGATIONS = words(
  'type',
  'aggregation',
  'terms date_histogram histogram range filters filter avg sum min max stats cardinality percentiles top_hits composite aggs',
);
const AGGREGATION_MEMBERS = words(
  'property',
  'aggregation',
  'field size order interval calendar_interval ranges percents',
);
const RANGE = words('property', 'range', 'gte gt lte lt format boost');
const MATCH = words('property', 'match', 'query operator fuzziness minimum_should_match boost');
const TERM = words('property', 'term', 'value boost case_insensitive');
const ORDER = [...words('constant', 'order', 'asc desc'), ...words('property', 'sort', 'order missing')];
const BOOLEANS = words('constant', 'value', 'true false');

/** Queries whose members are fields. */
const BY_FIELD = new Set(
  'match match_phrase match_phrase_prefix term terms range prefix wildcard fuzzy regexp fields'.split(' '),
);
/** Members whose value is a query, or a list of them. */
const HOLDS_QUERY = new Set(
  'query must should filter must_not post_filter positive negative queries filters'.split(' '),
);
/** Members whose value is the name of a field. */
const NAMES_FIELD = new Set(['field', '_source', 'fields', 'sort', 'default_field', 'exists', 'collapse']);

/** What may stand at a place of a search body. */
export function optionsAt(
  text: string,
  fields: readonly { readonly name: string; readonly type: string }[],
): readonly Completion[] {
  const { path, isValue } = jsonPath(text);
  const last = path.at(-1);
  const before = path.at(-2);
  const names = fields.map(({ name, type }): Completion => ({ label: name, type: 'variable', detail: type }));
  if (last === undefined) return BODY;
  if (isValue) {
    if (NAMES_FIELD.has(last)) return names;
    if (before === 'sort' || last === 'order') return ORDER;
    return BOOLEANS;
  }
  // The members of one aggregation, of its kind, of a field within a query: by what they are two levels within.
  if (before === 'aggs' || before === 'aggregations') return AGGREGATIONS;
  if (last === 'aggs' || last === 'aggregations') return [];
  if (path.at(-3) === 'aggs' || path.at(-3) === 'aggregations')
    return HOLDS_QUERY.has(last) ? QUERIES : AGGREGATION_MEMBERS;
  if (last === 'bool') return CLAUSES;
  if (HOLDS_QUERY.has(last)) return QUERIES;
  if (last === 'exists') return words('property', 'exists', 'field');
  if (last === 'sort') return names;
  if (BY_FIELD.has(last)) return names;
  if (before === 'range') return RANGE;
  if (before === 'term' || before === 'prefix' || before === 'wildcard') return TERM;
  if (before?.startsWith('match') === true) return MATCH;
  if (before === 'sort') return ORDER;
  return [...names, ...QUERIES, ...BODY];
}

/** Completes a word in quotes, or a bare one. */
export function completionOf(
  fields: readonly { readonly name: string; readonly type: string }[],
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[\w.@-]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const options = optionsAt(context.state.sliceDoc(0, word.from), fields);
    return { from: word.from, options, validFor: /^[\w.@-]*$/ };
  };
}
