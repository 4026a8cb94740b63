// Runs the order kernels over documents of a leaf that has no order, a stretch at a time. Each arena has one
// record for numbers to compare by, bounds and a bitmap; nothing stays in it between two stretches. Kernels
// matter most for the first page of a new sort, which comes before JavaScript loops have been compiled.

import {
  LEVEL_BYTES,
  LEVEL_FAR,
  LEVEL_FLIP,
  LEVEL_HI,
  LEVEL_LO,
  LEVEL_NEAR,
  LEVELS,
  RECORD_BYTES,
  STRETCH_AT,
  STRETCH_BITS,
  STRETCH_DOCS,
  STRETCH_END,
  STRETCH_FROM,
  STRETCH_LEVELS,
} from '../../kernels/assembly/order/layout.ts';
import { KernelModule } from '../../kernels/kernel-module.ts';
import { type Arena, arenaOf } from '../../memory/arena.ts';
import type { WasmFunction } from '../../memory/wasm.ts';

const modules = new KernelModule('order');
const kernels = new WeakMap<Arena, OrderKernel | null>();

/** Keys by document, as halves that are both flipped by a mask. */
export interface KeyArrays {
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  readonly flip: number;
}

/** The kernels over an arena, and their record there. */
export class OrderKernel {
  readonly ptr: number;
  readonly words: Uint32Array;
  readonly #functions: Readonly<Record<string, WasmFunction>>;

  private constructor(functions: Readonly<Record<string, WasmFunction>>, ptr: number, words: Uint32Array) {
    this.#functions = functions;
    this.ptr = ptr;
    this.words = words;
  }

  /**
   * The kernels of the arena that keys lie in; undefined where they lie in no arena, or there are no kernels.
   */
  static over({ hi, lo }: KeyArrays): OrderKernel | undefined {
    const arena = arenaOf(hi.buffer);
    if (arena === undefined || arenaOf(lo.buffer) !== arena) return undefined;
    let kernel = kernels.get(arena);
    if (kernel === undefined) kernels.set(arena, (kernel = OrderKernel.#make(arena)));
    return kernel ?? undefined;
  }

  static #make(arena: Arena): OrderKernel | null {
    const functions = modules.functionsFor(arena);
    const block = functions && arena.alloc(RECORD_BYTES);
    if (functions === undefined || block === undefined) return null;
    return new OrderKernel(functions, block.ptr, new Uint32Array(block.buffer, block.ptr, RECORD_BYTES / 4));
  }

  run(name: 'sieve' | 'extent' | 'tally'): void {
    this.#functions[name]!(this.ptr);
  }

  /** Starts a stretch of documents from a multiple of 32 on, MOST_STRETCH at most; `docs` have keys. */
  stretch(from: number, until: number, docs: number): void {
    const { words } = this;
    words[STRETCH_AT / 4] = from;
    words[STRETCH_END / 4] = until;
    words[STRETCH_FROM / 4] = from;
    words[STRETCH_DOCS / 4] = docs;
    words[STRETCH_LEVELS / 4] = 0;
  }

  /** Adds a number to compare by, with its near bound. */
  level({ hi, lo, flip }: KeyArrays, nearHi: number, nearLo: number): void {
    const { words } = this;
    const row = (LEVELS + words[STRETCH_LEVELS / 4]!++ * LEVEL_BYTES) / 4;
    words[row + LEVEL_HI / 4] = hi.byteOffset;
    words[row + LEVEL_LO / 4] = lo.byteOffset;
    words[row + LEVEL_FLIP / 4] = flip;
    words[row + LEVEL_NEAR / 4] = nearLo;
    words[row + LEVEL_NEAR / 4 + 1] = nearHi;
  }

  /** Sets the far bound of the n-th level. */
  far(n: number, hi: number, lo: number): void {
    const at = (LEVELS + n * LEVEL_BYTES + LEVEL_FAR) / 4;
    this.words[at] = lo;
    this.words[at + 1] = hi;
  }

  /** Sets which documents of the stretch are visible: a bitmap of the leaf; undefined for all. */
  visible(bits: Uint32Array | undefined, from: number, until: number): void {
    const { words } = this;
    const at = STRETCH_BITS / 4;
    const first = from >>> 5;
    const last = (until - 1) >>> 5;
    if (bits === undefined) words.fill(0xffff_ffff, at, at + last + 1 - first);
    else words.set(bits.subarray(first, last + 1), at);
    if (until & 31) words[at + last - first]! &= (1 << (until & 31)) - 1;
  }
}
