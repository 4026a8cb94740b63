// Documents whose buckets are known only when all documents were seen. They are kept by leaf, and replayed to
// the level below in the order in which they came.

import type { Steps } from '../../query/steps.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import { type AggregationBatch, type AggregationLeaf, BATCH_DOCS, newBatch } from './aggregator.ts';
import { grown } from './bucket-table.ts';
import type { AggregationContext } from './context.ts';

const FIRST_SIZE = 256;
/** Bytes of a document: its number, bucket, and score. */
const ROW_BYTES = 8;
const SCORE_BYTES = 8;

/** Documents of one leaf, ascending. */
interface LeafDocs {
  readonly leaf: AggregationLeaf;
  docs: Uint32Array;
  buckets: Uint32Array;
  scores: Float64Array | undefined;
  count: number;
}

/** Receives documents again. */
interface Replayed {
  enter(leaf: AggregationLeaf): Steps<void> | void;
  collect(batch: AggregationBatch): Steps<void> | void;
}

/** Documents with buckets and, where needed, scores. */
export class DeferredDocs {
  readonly #context: AggregationContext;
  readonly #hasScores: boolean;
  readonly #leaves: LeafDocs[] = [];

  constructor(context: AggregationContext, hasScores: boolean) {
    this.#context = context;
    this.#hasScores = hasScores;
  }

  /** The documents of this leaf come next. */
  enter(leaf: AggregationLeaf): void {
    this.#leaves.push({
      leaf,
      docs: new Uint32Array(FIRST_SIZE),
      buckets: new Uint32Array(FIRST_SIZE),
      scores: this.#hasScores ? new Float64Array(FIRST_SIZE) : undefined,
      count: 0,
    });
  }

  /** Keeps a document, by default with its score in the leaf. REQUIRES: documents of a leaf ascend. */
  add(doc: number, bucket: number, score?: number): void {
    const own = this.#leaves.at(-1)!;
    const at = own.count++;
    if (at === own.docs.length) {
      this.#context.claimBytes(at * (own.scores === undefined ? ROW_BYTES : ROW_BYTES + SCORE_BYTES));
      own.docs = grown(own.docs, at * 2);
      own.buckets = grown(own.buckets, at * 2);
      if (own.scores !== undefined) own.scores = grown(own.scores, at * 2);
    }
    own.docs[at] = doc;
    own.buckets[at] = bucket;
    if (own.scores !== undefined) own.scores[at] = score ?? own.leaf.scores![doc & 0xffff]!;
  }

  /** Passes all documents on, in batches of one chunk. */
  *replay(to: Replayed): Steps<void> {
    const batch = newBatch();
    for (const { leaf, docs, buckets, scores, count } of this.#leaves) {
      if (count === 0) continue;
      const chunkScores = scores === undefined ? undefined : new Float64Array(CHUNK_DOCS);
      const entered = to.enter({ ...leaf, scores: chunkScores });
      if (entered !== undefined) yield* entered;
      for (let from = 0; from < count; ) {
        const chunk = Math.floor(docs[from]! / CHUNK_DOCS);
        let n = 0;
        for (; n < BATCH_DOCS && from < count; n++, from++) {
          const doc = docs[from]!;
          if (Math.floor(doc / CHUNK_DOCS) !== chunk) break;
          batch.docs[n] = doc;
          batch.buckets[n] = buckets[from]!;
          if (chunkScores !== undefined) chunkScores[doc & 0xffff] = scores![from]!;
        }
        batch.count = n;
        this.#context.beginBatch();
        const collected = to.collect(batch);
        if (collected !== undefined) yield* collected;
        yield;
      }
    }
  }
}
