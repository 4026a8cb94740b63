// Lowers documents without excluding them: the score of those that also match the negative query is
// multiplied.

import { hasBit } from '../../../kernels/bits.ts';
import type { Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps } from '../../steps.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { borrowScores, newBits, type PlanNode, returnScores } from '../node.ts';

class BoostingMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #positive: Matcher;
  readonly #negative: Matcher;
  readonly #node: BoostingNode;
  #bits: Uint32Array | undefined;

  constructor(positive: Matcher, negative: Matcher, node: BoostingNode) {
    this.cost = positive.cost;
    this.effort = effortOf([positive]);
    this.#positive = positive;
    this.#negative = negative;
    this.#node = node;
    if (effortOf([negative]) === Number.POSITIVE_INFINITY || positive.scoreAhead !== undefined)
      this.scoreAhead = (chunk, bits) => this.#scoreAhead(chunk, bits);
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    return this.#positive.match(chunk, bits, candidates);
  }

  matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    return matchAllAhead([this.#positive], chunk, candidates);
  }

  *#scoreAhead(chunk: number, bits: Uint32Array): Steps<void> {
    yield* matchAllAhead([this.#negative], chunk, bits);
    if (this.#positive.scoreAhead !== undefined) yield* this.#positive.scoreAhead(chunk, bits);
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const bad = (this.#bits ??= newBits());
    this.#negative.match(chunk, bad, bits);
    const own = borrowScores();
    this.#positive.score(chunk, bits, own);
    const { factor, boost } = this.#node;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const score = Math.fround(own[doc]!);
      own[doc] = 0;
      scores[doc]! += Math.fround((hasBit(bad, doc) ? score * factor : score) * boost);
    }
    returnScores(own);
  }
}

/**
 * Matches of `positive`; scores of those that `negative` matches too are multiplied by `factor`, and all by `boost`. The
 * boost is applied behind any minimum score of `positive`, as by Lucene's FunctionScoreQuery.
 */
export class BoostingNode implements PlanNode {
  readonly scoring = true;
  readonly sumsFloats = false;
  readonly matchesAll: boolean;
  readonly matchesNone: boolean;
  readonly positive: PlanNode;
  readonly negative: PlanNode;
  readonly factor: number;
  readonly boost: number;
  readonly parts: readonly PlanNode[];

  constructor(positive: PlanNode, negative: PlanNode, factor: number, boost: number) {
    this.positive = positive;
    this.negative = negative;
    this.parts = [positive, negative];
    this.factor = Math.fround(factor);
    this.boost = boost;
    this.matchesAll = positive.matchesAll;
    this.matchesNone = positive.matchesNone;
  }

  get wanted(): readonly PlanNode[] {
    return [this.positive];
  }

  get key(): string {
    return this.positive.key;
  }

  matcher(leaf: Leaf): Matcher {
    return new BoostingMatcher(this.positive.matcher(leaf), this.negative.matcher(leaf), this);
  }
}
