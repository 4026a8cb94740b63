// Documents that pass a predicate, tested one by one: for what no structure is kept, such as routings, types
// and slices.

import { hasBit } from '../../../kernels/bits.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { ConstantMatcher, docsIn, FilterNode } from '../node.ts';

/** Whether a document passes. */
type Predicate = (doc: number) => boolean;

class TestedMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #test: Predicate;

  constructor(leaf: Leaf, test: Predicate, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#test = test;
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    const n = docsIn(this.#leaf, chunk);
    const base = chunk * CHUNK_DOCS;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      if (candidates !== undefined && !hasBit(candidates, i)) continue;
      if (!this.#test(base + i)) continue;
      bits[i >>> 5]! |= 1 << (i & 31);
      any = true;
    }
    return any;
  }
}

/** Documents that pass a test. Equal keys must mean equal tests. */
export class PredicateNode extends FilterNode {
  readonly key: string;
  readonly #test: (leaf: Leaf) => Predicate;

  constructor(key: string, constant: number, test: (leaf: Leaf) => Predicate) {
    super(constant);
    this.key = key;
    this.#test = test;
  }

  matcher(leaf: Leaf): Matcher {
    return new TestedMatcher(leaf, this.#test(leaf), this.constant);
  }
}
