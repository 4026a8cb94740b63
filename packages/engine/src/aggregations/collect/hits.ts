// The hits inside buckets, as the search provides them: aggregations choose documents, the search knows sorts
// and what a hit shows.

import type { Hit, SortValue } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationLeaf } from './aggregator.ts';

/** A document that competes for a place among the hits of a bucket. */
export interface HitCandidate {
  readonly leaf: AggregationLeaf;
  readonly doc: number;
  readonly score: number;
}

/** A sort of hits. */
export interface HitSort {
  /** Whether hits are sorted by score, or show it. */
  readonly needsScores: boolean;
  /** Negative where the first comes before the second. */
  compare(a: HitCandidate, b: HitCandidate): number;
  /** The values of a document, unformatted where they order buckets. */
  values(hit: HitCandidate): readonly SortValue[] | undefined;
}

/** For each hit, its highlights. */
export type HitHighlighter = (
  hits: readonly HitCandidate[],
) => Steps<readonly NonNullable<Hit['highlights']>[]>;

/** What a search does for aggregations that read documents. */
export interface AggregationHits {
  /** Reads a sort; undefined sorts by score. */
  sort(sort: JsonValue | undefined): HitSort;
  /** The bytes of the source of a document. */
  source(leaf: AggregationLeaf, doc: number): Uint8Array;
  /** Makes hits. */
  show(
    hits: readonly HitCandidate[],
    sort: HitSort,
    showScores: boolean,
    details?: readonly Pick<Hit, 'highlights'>[],
  ): Steps<Hit[]>;
  /** Reads a `highlight`. Throws where it is invalid, and where hits are objects within documents. */
  highlighter(json: JsonObject): HitHighlighter;
}
