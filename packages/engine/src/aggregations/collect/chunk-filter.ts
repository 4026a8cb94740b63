// Which documents of a batch a query matches. A chunk is matched once, for all batches of it.

import type { JsonObject } from '../../json/value.ts';
import { setBit } from '../../kernels/bits.ts';
import { type Matcher, type Plan, testsDocuments } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf } from './aggregator.ts';
import type { AggregationContext } from './context.ts';

/** A query inside an aggregation. REQUIRES: the documents of a batch lie in one chunk. */
export class ChunkFilter {
  readonly #query: JsonObject;
  readonly #context: AggregationContext;
  #plans: readonly Plan[] = [];
  #matcher: Matcher | undefined;
  #isAll = false;
  /** Whether only documents of the batch may be matched. */
  #isTesting = false;
  #chunk = -1;
  readonly #bits = newBits();

  constructor(query: JsonObject, context: AggregationContext) {
    this.#query = query;
    this.#context = context;
  }

  *prepare(): Steps<void> {
    this.#plans = yield* this.#context.planAll(this.#query);
  }

  *enter({ leaf, indexPlace }: AggregationLeaf): Steps<void> {
    const plan = this.#plans[indexPlace]!;
    this.#chunk = -1;
    this.#isAll = plan.matchesAll;
    this.#isTesting = testsDocuments(plan);
    this.#matcher = plan.matchesAll ? undefined : yield* compileInSteps(plan, leaf);
  }

  /** Copies the matches of a batch to another, which may be the same. */
  keep({ docs, buckets, count }: AggregationBatch, kept: AggregationBatch): void {
    kept.count = 0;
    if (count === 0) return;
    const bits = this.bitsOf({ docs, buckets, count });
    let n = 0;
    for (let i = 0; i < count; i++) {
      const low = docs[i]! & 0xffff;
      if (bits !== undefined && ((bits[low >>> 5]! >>> (low & 31)) & 1) === 0) continue;
      kept.docs[n] = docs[i]!;
      kept.buckets[n++] = buckets[i]!;
    }
    kept.count = n;
  }

  /** Which documents of a batch match, as bits by their low 16 bits; undefined where all match. */
  bitsOf({ docs, count }: AggregationBatch): Uint32Array | undefined {
    if (this.#isAll) return undefined;
    const chunk = Math.floor(docs[0]! / CHUNK_DOCS);
    if (this.#isTesting) {
      const candidates = newBits();
      for (let i = 0; i < count; i++) setBit(candidates, docs[i]! % CHUNK_DOCS);
      this.#matcher!.match(chunk, this.#bits, candidates);
    } else if (chunk !== this.#chunk) this.#matcher!.match(chunk, this.#bits);
    this.#chunk = chunk;
    return this.#bits;
  }
}
