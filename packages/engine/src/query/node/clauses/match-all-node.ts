// The nodes that need no look at the index: every document, or none.

import { fillOnes } from '../../../kernels/bits.ts';
import type { Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { ConstantMatcher, docsIn, FilterNode, type PlanNode } from '../node.ts';

class AllMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;

  constructor(leaf: Leaf, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const n = docsIn(this.#leaf, chunk);
    fillOnes(bits, n);
    return n > 0;
  }
}

/** Every document, with one score. */
export class AllNode extends FilterNode {
  override readonly matchesAll: boolean = true;
  readonly key = '*';

  matcher(leaf: Leaf): Matcher {
    return new AllMatcher(leaf, this.constant);
  }
}

/** Matches nothing. */
export const NOTHING: Matcher = Object.freeze({
  cost: 0,
  match(_chunk: number, bits: Uint32Array): boolean {
    bits.fill(0);
    return false;
  },
  score(): void {},
});

/** No document at all. */
export const NONE: PlanNode = Object.freeze({
  scoring: false,
  sumsFloats: false,
  matchesAll: false,
  matchesNone: true,
  key: '-',
  matcher: () => NOTHING,
});
