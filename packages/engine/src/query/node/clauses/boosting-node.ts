// How are documents pushed down without being thrown out? Those that also match the negative query have their score
// multiplied.

import { CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { aheadOf, type Steps, setsOf } from '../../steps.ts';
import { borrowScores, type Node, newBits, returnScores } from '../node.ts';

class BoostingMatcher implements Matcher {
  readonly cost: number;
  readonly sets: number;
  readonly #positive: Matcher;
  readonly #negative: Matcher;
  readonly #factor: number;
  #bits: Uint32Array | undefined;

  constructor(positive: Matcher, negative: Matcher, factor: number) {
    this.cost = positive.cost;
    this.sets = setsOf([positive]);
    this.#positive = positive;
    this.#negative = negative;
    this.#factor = factor;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    return this.#positive.match(chunk, bits);
  }

  ahead(chunk: number): Steps<void> {
    return aheadOf([this.#positive], chunk);
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const bad = (this.#bits ??= newBits());
    this.#negative.match(chunk, bad);
    const own = borrowScores();
    this.#positive.score(chunk, bits, own);
    for (let w = 0; w < CHUNK_WORDS; w++) {
      let word = bits[w]!;
      while (word !== 0) {
        const low = word & -word;
        word ^= low;
        const doc = (w << 5) + 31 - Math.clz32(low);
        const score = Math.fround(own[doc]!);
        own[doc] = 0;
        scores[doc]! += (bad[w]! & low) === 0 ? score : Math.fround(score * this.#factor);
      }
    }
    returnScores(own);
  }
}

/** Matches of `positive`; scores of those that `negative` matches too are multiplied by `factor`. */
export class BoostingNode implements Node {
  readonly scoring = true;
  readonly sums = false;
  readonly matchesAll: boolean;
  readonly matchesNone: boolean;
  readonly positive: Node;
  readonly negative: Node;
  readonly factor: number;
  readonly parts: readonly Node[];

  constructor(positive: Node, negative: Node, factor: number) {
    this.positive = positive;
    this.negative = negative;
    this.parts = [positive, negative];
    this.factor = Math.fround(factor);
    this.matchesAll = positive.matchesAll;
    this.matchesNone = positive.matchesNone;
  }

  get key(): string {
    return this.positive.key;
  }

  matcher(leaf: Leaf): Matcher {
    return new BoostingMatcher(this.positive.matcher(leaf), this.negative.matcher(leaf), this.factor);
  }
}
