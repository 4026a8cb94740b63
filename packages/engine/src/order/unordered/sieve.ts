// Skips documents of a scan that cannot be on the page: a kernel lets through only what lies between the
// cursor and the worst document found so far.

import { OUT, SIEVE_BEFORE, SIEVE_FOUND, STRETCH_AT } from '../../kernels/assembly/order/layout.ts';
import type { FarBound, KeyLevel } from './key-levels.ts';
import { OrderKernel } from './order-kernel.ts';

/** A sieve over the documents of one leaf. */
export class KernelSieve {
  readonly #kernel: OrderKernel;
  readonly #levels: readonly KeyLevel[];

  private constructor(kernel: OrderKernel, levels: readonly KeyLevel[]) {
    this.#kernel = kernel;
    this.#levels = levels;
  }

  /**
   * A sieve of as many levels as lie in one arena; undefined where the first lies in no arena, or there is no
   * kernel.
   */
  static over(levels: readonly KeyLevel[]): KernelSieve | undefined {
    const kernel = levels.length === 0 ? undefined : OrderKernel.over(levels[0]!);
    if (kernel === undefined) return undefined;
    const foreign = levels.findIndex((level) => OrderKernel.over(level) !== kernel);
    return new KernelSieve(kernel, foreign < 0 ? levels : levels.slice(0, foreign));
  }

  /**
   * Offers every document of a stretch that may be on the page; `far` may come nearer meanwhile. Returns how
   * many visible documents come before the cursor, without those that tie with it. `bits` is a bitmap of the
   * leaf, undefined for all. REQUIRES: from is a multiple of 32, until - from is at most MOST_STRETCH.
   */
  scan(
    bits: Uint32Array | undefined,
    from: number,
    until: number,
    far: FarBound,
    offer: (doc: number) => void,
  ): number {
    const kernel = this.#kernel;
    const levels = this.#levels;
    const { words } = kernel;
    kernel.stretch(from, until, levels[0]!.hi.length);
    for (const level of levels) kernel.level(level, level.nearHi, level.nearLo);
    kernel.visible(bits, from, until);
    words[SIEVE_BEFORE / 4] = 0;
    while (words[STRETCH_AT / 4]! < until) {
      for (let n = 0; n < levels.length; n++) kernel.far(n, far.hi[n]!, far.lo[n]!);
      kernel.run('sieve');
      const end = OUT / 4 + words[SIEVE_FOUND / 4]!;
      for (let at = OUT / 4; at < end; at++) offer(words[at]!);
    }
    return words[SIEVE_BEFORE / 4]!;
  }
}
