// Which documents of a batch a query matches. A chunk is matched once, for all batches of it.

import type { JsonObject } from '../../json/value.ts';
import type { Matcher, Plan } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf } from './aggregator.ts';
import type { AggregationContext } from './context.ts';

/** A query inside an aggregation. */
export class ChunkFilter {
  readonly #query: JsonObject;
  readonly #context: AggregationContext;
  #plans: readonly Plan[] = [];
  #matcher: Matcher | undefined;
  #isAll = false;
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
    this.#matcher = plan.matchesAll ? undefined : yield* compileInSteps(plan, leaf);
  }

  /** Copies the matches of a batch to another, which may be the same. */
  keep({ docs, buckets, count }: AggregationBatch, kept: AggregationBatch): void {
    kept.count = 0;
    if (count === 0) return;
    const bits = this.bitsAt(docs[0]!);
    let n = 0;
    for (let i = 0; i < count; i++) {
      const low = docs[i]! & 0xffff;
      if (bits !== undefined && ((bits[low >>> 5]! >>> (low & 31)) & 1) === 0) continue;
      kept.docs[n] = docs[i]!;
      kept.buckets[n++] = buckets[i]!;
    }
    kept.count = n;
  }

  /** The bits of the matches in the chunk of a document, by its low 16 bits; undefined where all match. */
  bitsAt(doc: number): Uint32Array | undefined {
    if (this.#isAll) return undefined;
    const chunk = Math.floor(doc / CHUNK_DOCS);
    if (chunk !== this.#chunk) {
      this.#matcher!.match(chunk, this.#bits);
      this.#chunk = chunk;
    }
    return this.#bits;
  }
}
