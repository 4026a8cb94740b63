// Documents with one of many numbers: a binary search in the sorted keys for each value of the column.

import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../../mapping/types/type.ts';
import { CHUNK_DOCS, type Leaf, type NumericColumn } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, docsIn, FilterNode } from '../node.ts';

class SetMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #column: NumericColumn;
  readonly #keys: readonly Key64[];

  constructor(leaf: Leaf, column: NumericColumn, keys: readonly Key64[], constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#column = column;
    this.#keys = keys;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const n = docsIn(this.#leaf, chunk);
    const { starts, hi, lo, present } = this.#column;
    const base = chunk * CHUNK_DOCS;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      const doc = base + i;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let v = starts === undefined ? doc : starts[doc]!; v < end; v++) {
        if (!this.#has(hi[v]!, lo[v]!)) continue;
        bits[i >>> 5]! |= 1 << (i & 31);
        any = true;
        break;
      }
    }
    return any;
  }

  #has(hi: number, lo: number): boolean {
    const keys = this.#keys;
    let low = 0;
    let high = keys.length - 1;
    while (low <= high) {
      const mid = (low + high) >>> 1;
      const key = keys[mid]!;
      const order = compareKeys(key.hi, key.lo, hi, lo);
      if (order === 0) return true;
      if (order < 0) low = mid + 1;
      else high = mid - 1;
    }
    return false;
  }
}

/** Documents with any value among some keys. */
export class NumericSetNode extends FilterNode {
  readonly path: string;
  readonly keys: readonly Key64[];

  constructor(path: string, keys: readonly Key64[], constant: number) {
    super(constant);
    this.path = path;
    this.keys = [...keys].sort((a, b) => compareKeys(a.hi, a.lo, b.hi, b.lo));
  }

  get key(): string {
    return `m(${textKey(this.path)}${this.keys.map((k) => `,${k.hi},${k.lo}`).join('')})`;
  }

  matcher(leaf: Leaf): Matcher {
    const column = leaf.column(this.path);
    return column?.kind === 'numeric' ? new SetMatcher(leaf, column, this.keys, this.constant) : NOTHING;
  }
}
