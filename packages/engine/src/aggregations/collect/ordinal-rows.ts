// What numbers the values of documents: sources give rows of document, bucket and ordinal, and what a leaf counts by ordinal.

import type { Key64 } from '../../mapping/types/type.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, LeafMatches } from './aggregator.ts';
import type { CountedSource } from './counted-level.ts';

/**
 * Rows of document, bucket and the ordinal of a value. Those of a document follow each other. Where each document of a batch has one
 * value, the documents and buckets are the arrays of the batch.
 */
export interface OrdinalRows {
  docs: Uint32Array;
  buckets: Uint32Array;
  ordinals: Uint32Array;
  count: number;
}

/** How many documents of a leaf have each ordinal. */
export interface OrdinalCounts {
  readonly counts: Uint32Array;
  /** The ordinal of the source at each place of `counts`; undefined where it is the place. */
  readonly ordinals: Uint32Array | undefined;
}

/** Numbers the values of documents. */
export interface OrdinalRowSource {
  prepare?(): Steps<void>;
  /** Ordinals stand for other values from now on, unless `isGlobal`. */
  enter(leaf: AggregationLeaf): void;
  readonly isGlobal: boolean;
  /** The rows of a batch, valid until the next call. Those of a document follow each other. */
  rows(batch: AggregationBatch): OrdinalRows;
  /** Above all ordinals that have been given out. */
  readonly width: number;
  /** The 64-bit key of an ordinal. */
  keyOf(ordinal: number): Key64;
  /** Counts the matches of the leaf; undefined where they have to come in batches. */
  countLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<OrdinalCounts | undefined>;
  /** What counts the documents of the leaf by ordinals of the leaf; undefined where they have to come in batches. */
  counted?(): CountedSource | undefined;
  /** Replaces ordinals of the leaf by those of `rows`, if they are others. */
  toGlobal?(ordinals: Uint32Array, count: number): void;
}
