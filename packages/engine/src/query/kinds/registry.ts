// Which kinds of queries are there? One table, by the names on the wire; and the names of those that are known but not
// supported, so that an error can say so.

import type { Query, QueryKind } from '../query.ts';
import { matchAll, matchNone } from './all.ts';
import { bool } from './bool.ts';
import { constantScore } from './constant.ts';
import { boosting, disMax } from './disjunctions.ts';
import { exists } from './exists.ts';
import { ids } from './ids.ts';
import { match, matchBoolPrefix, matchPhrase, matchPhrasePrefix } from './match.ts';
import { multiMatch } from './multimatch.ts';
import { fuzzy, prefix, regexp, wildcard } from './patterns.ts';
import { queryString, simpleQueryString } from './querystring.ts';
import { range } from './range.ts';
import { term } from './term.ts';
import { terms } from './terms.ts';
import { nested, wrapper } from './wrappers.ts';

const ALL: readonly QueryKind[] = [
  bool,
  boosting,
  constantScore,
  disMax,
  exists,
  fuzzy,
  ids,
  match,
  matchAll,
  matchBoolPrefix,
  matchNone,
  matchPhrase,
  matchPhrasePrefix,
  multiMatch,
  nested,
  prefix,
  queryString,
  range,
  regexp,
  simpleQueryString,
  term,
  terms,
  wildcard,
  wrapper,
];

/** Kinds by name. */
export const KINDS: ReadonlyMap<string, QueryKind<Query>> = new Map(
  ALL.flatMap((kind) => [kind.name, ...(kind.aliases ?? [])].map((name) => [name, kind])),
);

/** Kinds of the peers that are refused by name. */
export const UNSUPPORTED: ReadonlySet<string> = new Set([
  'combined_fields',
  'common',
  'distance_feature',
  'field_masking_span',
  'geo_bounding_box',
  'geo_distance',
  'geo_polygon',
  'geo_shape',
  'has_child',
  'has_parent',
  'intervals',
  'knn',
  'more_like_this',
  'neural',
  'parent_id',
  'percolate',
  'pinned',
  'rank_feature',
  'script',
  'script_score',
  'shape',
  'span_containing',
  'span_first',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
  'terms_set',
  'xy_shape',
]);
