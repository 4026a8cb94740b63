// All kinds of queries by their names on the wire (unsupported.ts has those that are refused).

import type { Query } from '../query.ts';
import { combinedFields } from './combined-fields.ts';
import { bool } from './compound/bool.ts';
import { boosting, constantScore, disMax } from './compound/compound.ts';
import { nested } from './compound/nested.ts';
import { wrapper } from './compound/wrapper.ts';
import { exists } from './exists.ts';
import { geoBoundingBox } from './geo/geo-bounding-box.ts';
import { geoDistance } from './geo/geo-distance.ts';
import { geoPolygon } from './geo/geo-polygon.ts';
import { geoShape } from './geo/geo-shape.ts';
import { ids } from './ids.ts';
import { intervals } from './intervals/intervals.ts';
import type { QueryKind } from './kind.ts';
import { match, matchBoolPrefix, matchPhrase, matchPhrasePrefix } from './match.ts';
import { matchAll, matchNone } from './match-all.ts';
import { multiMatch } from './multi-match.ts';
import { fuzzy, prefix, regexp, wildcard } from './patterns.ts';
import { queryString, simpleQueryString } from './query-string.ts';
import { range } from './range.ts';
import { distanceFeature } from './scored/distance-feature.ts';
import { functionScore } from './scored/function-score.ts';
import { moreLikeThis } from './scored/more-like-this.ts';
import { rankFeature } from './scored/rank-feature.ts';
import { script, scriptScore } from './scored/script.ts';
import { spanContaining, spanWithin } from './span/containing.ts';
import { fieldMaskingSpan } from './span/field-masking.ts';
import { spanFirst } from './span/first.ts';
import { spanMulti } from './span/multi.ts';
import { spanNear } from './span/near.ts';
import { spanNot } from './span/not.ts';
import { spanOr } from './span/or.ts';
import { spanTerm } from './span/term.ts';
import { term } from './term.ts';
import { terms } from './terms.ts';
import { termsSet } from './terms-set.ts';

const ALL: readonly QueryKind[] = [
  bool,
  boosting,
  combinedFields,
  constantScore,
  disMax,
  distanceFeature,
  exists,
  fieldMaskingSpan,
  functionScore,
  fuzzy,
  geoBoundingBox,
  geoDistance,
  geoPolygon,
  geoShape,
  ids,
  intervals,
  match,
  matchAll,
  matchBoolPrefix,
  matchNone,
  matchPhrase,
  matchPhrasePrefix,
  moreLikeThis,
  multiMatch,
  nested,
  prefix,
  queryString,
  range,
  rankFeature,
  regexp,
  script,
  scriptScore,
  simpleQueryString,
  spanContaining,
  spanFirst,
  spanMulti,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
  spanWithin,
  term,
  terms,
  termsSet,
  wildcard,
  wrapper,
];

/** Kinds by name. */
export const QUERY_KINDS: ReadonlyMap<string, QueryKind<Query>> = new Map(
  ALL.flatMap((kind) => [kind.name, ...(kind.aliases ?? [])].map((name) => [name, kind])),
);
