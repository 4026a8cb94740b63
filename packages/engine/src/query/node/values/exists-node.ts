// Documents with any value of a field, from the presence bitmap that every field keeps.

import type { Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, copyChunk, FilterNode } from '../node.ts';

class PresentMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #present: Uint32Array;

  constructor(leaf: Leaf, present: Uint32Array, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#present = present;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    return copyChunk(this.#present, chunk, bits);
  }
}

/** Documents with a value of a field. */
export class ExistsNode extends FilterNode {
  readonly path: string;

  constructor(path: string, constant: number) {
    super(constant);
    this.path = path;
  }

  get key(): string {
    return `e(${textKey(this.path)})`;
  }

  matcher(leaf: Leaf): Matcher {
    const present = leaf.present(this.path);
    return present === undefined ? NOTHING : new PresentMatcher(leaf, present, this.constant);
  }
}
