// The contract of the collector tree. Documents come in batches of one leaf, each with the number of the
// bucket that it falls into on the level above; a bucket aggregation numbers its own buckets and passes their
// documents on to the level below. Working on batches keeps the loops on typed arrays, and the caller looks
// at the clock between them.

import type { AggregationResult } from '../../api.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Steps } from '../../query/steps.ts';
import type { Leaf, LeafView } from '../../segment/leaf.ts';
import type { CountedLevel } from './counted-level.ts';

/** Documents of a batch: collecting one takes well under a millisecond on each level. */
export const BATCH_DOCS = 4_096;

/** The number of a bucket without documents, whose results are those over nothing. */
export const NO_BUCKET = -1;

/** Documents of one chunk of a leaf, ascending, with their buckets. A document may come several times. */
export interface AggregationBatch {
  readonly docs: Uint32Array;
  readonly buckets: Uint32Array;
  count: number;
}

/** An empty batch. */
export function newBatch(): AggregationBatch {
  return { docs: new Uint32Array(BATCH_DOCS), buckets: new Uint32Array(BATCH_DOCS), count: 0 };
}

/** The leaf whose documents come next. */
export interface AggregationLeaf {
  readonly leaf: Leaf;
  readonly view: LeafView;
  readonly index: IndexView;
  /** Place of the index among those searched, and of the leaf among all leaves. */
  readonly indexPlace: number;
  readonly place: number;
  /** The scores of the chunk of the batch, by the low 16 bits of documents; undefined without scores. */
  scores: Float64Array | undefined;
}

/** The documents of a leaf that match and may be seen. */
export interface LeafMatches {
  /** Whether these are all documents that have not died. */
  readonly isAll: boolean;
  /** CHUNK_WORDS words for each chunk. Shared: they must not be changed. */
  readonly bits: Uint32Array;
}

/** Collects the values or buckets of one aggregation. */
export interface Aggregator {
  /** Whether it, or one below it, reads scores. */
  readonly needsScores?: boolean;
  /** Called once, before the first leaf. */
  prepare?(): Steps<void>;
  /** The documents of this leaf come next. */
  enter(leaf: AggregationLeaf): Steps<void> | void;
  collect(batch: AggregationBatch): void;
  /** Collects all matches of the leaf into bucket 0 at once; false where it needs them in batches. */
  collectLeaf?(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean>;
  /** The level of the leaf, where it only counts documents; undefined where it needs them in batches. */
  countedLevel?(): CountedLevel | undefined;
  /** Called once, behind the last leaf, and after the same of the level above: collects what was deferred. */
  finish?(): Steps<void>;
  /** The result of a bucket of the level above, or over nothing for NO_BUCKET. */
  result(bucket: number): Steps<AggregationResult> | AggregationResult;
  /**
   * A number of the result of a bucket, by which the level above orders its buckets: `''` is the only number of
   * a metric, or the count of a single bucket. Undefined where it has no such number.
   */
  number?(bucket: number, path: readonly string[], key: string): number | undefined;
}
