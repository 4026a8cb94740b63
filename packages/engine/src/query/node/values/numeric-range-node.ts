// Documents with a number in a range: a scan of the column, chunk by chunk. Keys are 64 bits in two halves
// that sort as unsigned integers.

import type { Key64 } from '../../../mapping/types/type.ts';
import { CHUNK_DOCS, type Leaf, type NumericColumn } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, docsIn, FilterNode } from '../node.ts';
import { ColumnKernel } from './column-kernel.ts';

class RangeMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #column: NumericColumn;
  readonly #min: Key64;
  readonly #max: Key64;

  constructor(leaf: Leaf, column: NumericColumn, min: Key64, max: Key64, constant: number) {
    super(constant);
    this.cost = leaf.docCount;
    this.#leaf = leaf;
    this.#column = column;
    this.#min = min;
    this.#max = max;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const n = docsIn(this.#leaf, chunk);
    const column = this.#column;
    if (column.starts !== undefined) return this.#matchMulti(chunk, n, column.starts, bits);
    const kernel = ColumnKernel.over(column);
    if (kernel === undefined) return this.#matchSingle(chunk, n, bits);
    return kernel.rangeBits(column, chunk * CHUNK_DOCS, n, this.#min, this.#max, bits);
  }

  /** The twin of the kernel. */
  #matchSingle(chunk: number, n: number, bits: Uint32Array): boolean {
    const { hi, lo, present } = this.#column;
    const minHi = this.#min.hi;
    const minLo = this.#min.lo;
    const maxHi = this.#max.hi;
    const maxLo = this.#max.lo;
    const base = chunk * CHUNK_DOCS;
    const words = (n + 31) >>> 5;
    let any = 0;
    for (let w = 0; w < words; w++) {
      const here = present[(base >>> 5) + w]!;
      let word = 0;
      if (here !== 0) {
        const from = base + (w << 5);
        const size = Math.min(32, n - (w << 5));
        for (let i = 0; i < size; i++) {
          const h = hi[from + i]!;
          if (h < minHi || h > maxHi) continue;
          const l = lo[from + i]!;
          if ((h > minHi || l >= minLo) && (h < maxHi || l <= maxLo)) word |= 1 << i;
        }
      }
      any |= bits[w] = word & here;
    }
    bits.fill(0, words);
    return any !== 0;
  }

  #matchMulti(chunk: number, n: number, starts: Uint32Array, bits: Uint32Array): boolean {
    const { hi, lo } = this.#column;
    const minHi = this.#min.hi;
    const minLo = this.#min.lo;
    const maxHi = this.#max.hi;
    const maxLo = this.#max.lo;
    const base = chunk * CHUNK_DOCS;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      const end = starts[base + i + 1]!;
      for (let v = starts[base + i]!; v < end; v++) {
        const h = hi[v]!;
        const l = lo[v]!;
        if (h < minHi || (h === minHi && l < minLo)) continue;
        if (h < maxHi || (h === maxHi && l <= maxLo)) {
          bits[i >>> 5]! |= 1 << (i & 31);
          any = true;
        }
        break;
      }
    }
    return any;
  }
}

/** Documents with any value between two keys, both inclusive. */
export class NumericRangeNode extends FilterNode {
  readonly path: string;
  readonly min: Key64;
  readonly max: Key64;

  constructor(path: string, min: Key64, max: Key64, constant: number) {
    super(constant);
    this.path = path;
    this.min = min;
    this.max = max;
  }

  get key(): string {
    return `n(${textKey(this.path)},${this.min.hi},${this.min.lo},${this.max.hi},${this.max.lo})`;
  }

  matcher(leaf: Leaf): Matcher {
    const column = leaf.column(this.path);
    if (column?.kind !== 'numeric') return NOTHING;
    return new RangeMatcher(leaf, column, this.min, this.max, this.constant);
  }
}
