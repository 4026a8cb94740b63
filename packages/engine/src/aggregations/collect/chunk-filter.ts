// Which documents of a batch a query matches. A chunk is matched once, for all batches of it.

import type { JsonObject } from '../../json/value.ts';
import type { Matcher, Plan } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { AggregationLeaf } from './aggregator.ts';
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
