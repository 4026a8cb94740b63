// Completion in the query editor: members of a search body, kinds of queries and aggregations, and the fields of
// the mapping, by what the word stands in.

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';

const BODY = [
  'query',
  'aggs',
  'sort',
  'size',
  'from',
  '_source',
  'highlight',
  'track_total_hits',
  'search_after',
  'post_filter',
  'collapse',
  'fields',
  'tokens',
  'as_of',
  'explain',
  'profile',
];
const QUERIES = [
  'match',
  'match_all',
  'match_phrase',
  'match_phrase_prefix',
  'multi_match',
  'term',
  'terms',
  'range',
  'exists',
  'prefix',
  'wildcard',
  'fuzzy',
  'regexp',
  'ids',
  'bool',
  'must',
  'should',
  'filter',
  'must_not',
  'dis_max',
  'constant_score',
  'function_score',
  'query_string',
  'simple_query_string',
  'boosting',
  'distance_feature',
];
const AGGREGATIONS = [
  'terms',
  'date_histogram',
  'histogram',
  'range',
  'filters',
  'avg',
  'sum',
  'min',
  'max',
  'stats',
  'cardinality',
  'percentiles',
  'top_hits',
  'composite',
  'field',
];

/** Completes a word in quotes, or a bare one. */
export function completionOf(fields: readonly { readonly name: string; readonly type: string }[]) {
  const options = [
    ...fields.map(({ name, type }) => ({ label: name, type: 'variable', detail: type })),
    ...BODY.map((label) => ({ label, type: 'property', detail: 'search' })),
    ...QUERIES.map((label) => ({ label, type: 'keyword', detail: 'query' })),
    ...AGGREGATIONS.map((label) => ({ label, type: 'type', detail: 'aggregation' })),
  ];
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w.@-]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    return { from: word.from, options, validFor: /^[\w.@-]*$/ };
  };
}
