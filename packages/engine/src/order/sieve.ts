// How does a scan for the best few not look at most documents? A kernel lets through what lies between the cursor and the
// worst that was found: the first answer of a new sort comes before the loops of this language have been compiled.

import {
  LEVEL_BYTES,
  LEVEL_FAR,
  LEVEL_FLIP,
  LEVEL_HI,
  LEVEL_LO,
  LEVEL_NEAR,
  SIEVE_AT,
  SIEVE_BEFORE,
  SIEVE_BITS,
  SIEVE_BYTES,
  SIEVE_DOCS,
  SIEVE_END,
  SIEVE_FOUND,
  SIEVE_FROM,
  SIEVE_LEVELS,
  SIEVE_OUT,
  SIEVE_ROWS,
} from '../kernels/assembly/order/layout.ts';
import { Kernels } from '../kernels/load.ts';
import { type Arena, arenaOf } from '../memory/arena.ts';
import type { WasmFunction } from '../memory/wasm.ts';
import type { Far, Level } from './levels.ts';

const modules = new Kernels('order');
const places = new WeakMap<Arena, Place | null>();

/** The kernel over an arena, and its record there. Nothing is kept in it from one stretch to the next. */
interface Place {
  readonly run: WasmFunction;
  readonly ptr: number;
  readonly words: Uint32Array;
}

function placeOf(arena: Arena): Place | undefined {
  let place = places.get(arena);
  if (place === undefined) places.set(arena, (place = makePlace(arena)));
  return place ?? undefined;
}

function makePlace(arena: Arena): Place | null {
  const run = modules.over(arena)?.['sieve'];
  const block = run && arena.alloc(SIEVE_BYTES);
  if (run === undefined || block === undefined) return null;
  return { run, ptr: block.ptr, words: new Uint32Array(block.buffer, block.ptr, SIEVE_BYTES / 4) };
}

/** A sieve over the documents of one leaf. */
export class Sieve {
  readonly #place: Place;
  readonly #levels: readonly Level[];

  private constructor(place: Place, levels: readonly Level[]) {
    this.#place = place;
    this.#levels = levels;
  }

  /** Of as many levels as lie in one arena; undefined where the first does not lie in one, or there is no kernel. */
  static over(levels: readonly Level[]): Sieve | undefined {
    const arena = levels.length === 0 ? undefined : arenaOf(levels[0]!.hi.buffer);
    const place = arena && placeOf(arena);
    if (place === undefined) return undefined;
    const isHere = ({ hi, lo }: Level): boolean =>
      arenaOf(hi.buffer) === arena && arenaOf(lo.buffer) === arena;
    const elsewhere = levels.findIndex((level) => !isHere(level));
    return elsewhere === 0
      ? undefined
      : new Sieve(place, elsewhere < 0 ? levels : levels.slice(0, elsewhere));
  }

  /**
   * Offers every document of a stretch that may be on the page; `far` may come nearer meanwhile. Returns how many visible
   * ones come before the cursor, those not counted that tie with it. `bits` is a bitmap of the leaf, undefined
   * for all. REQUIRES: from is a multiple of 32, until - from is at most MOST_STRETCH.
   */
  scan(
    bits: Uint32Array | undefined,
    from: number,
    until: number,
    far: Far,
    offer: (doc: number) => void,
  ): number {
    const { words, run, ptr } = this.#place;
    this.#begin(bits, from, until);
    while (words[SIEVE_AT / 4]! < until) {
      this.#bound(far);
      run(ptr);
      const end = SIEVE_OUT / 4 + words[SIEVE_FOUND / 4]!;
      for (let at = SIEVE_OUT / 4; at < end; at++) offer(words[at]!);
    }
    return words[SIEVE_BEFORE / 4]!;
  }

  #begin(bits: Uint32Array | undefined, from: number, until: number): void {
    const { words } = this.#place;
    words[SIEVE_AT / 4] = from;
    words[SIEVE_END / 4] = until;
    words[SIEVE_FROM / 4] = from;
    words[SIEVE_DOCS / 4] = this.#levels[0]!.hi.length;
    words[SIEVE_LEVELS / 4] = this.#levels.length;
    words[SIEVE_BEFORE / 4] = 0;
    for (let n = 0; n < this.#levels.length; n++) {
      const { hi, lo, flip, nearHi, nearLo } = this.#levels[n]!;
      const row = (SIEVE_ROWS + n * LEVEL_BYTES) / 4;
      words[row + LEVEL_HI / 4] = hi.byteOffset;
      words[row + LEVEL_LO / 4] = lo.byteOffset;
      words[row + LEVEL_FLIP / 4] = flip;
      words[row + LEVEL_NEAR / 4] = nearLo;
      words[row + LEVEL_NEAR / 4 + 1] = nearHi;
    }
    const at = SIEVE_BITS / 4;
    const first = from >>> 5;
    const last = (until - 1) >>> 5;
    if (bits === undefined) words.fill(0xffff_ffff, at, at + last + 1 - first);
    else words.set(bits.subarray(first, last + 1), at);
    if (until & 31) words[at + last - first]! &= (1 << (until & 31)) - 1;
  }

  #bound(far: Far): void {
    const { words } = this.#place;
    for (let n = 0; n < this.#levels.length; n++) {
      const at = (SIEVE_ROWS + n * LEVEL_BYTES + LEVEL_FAR) / 4;
      words[at] = far.lo[n]!;
      words[at + 1] = far.hi[n]!;
    }
  }
}
