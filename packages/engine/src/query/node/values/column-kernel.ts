// Runs the kernels over numeric columns. Each arena has one bitmap of a chunk for their output; nothing stays in it between two
// calls.

import { KernelModule } from '../../../kernels/kernel-module.ts';
import type { Key64 } from '../../../mapping/types/type.ts';
import { type Arena, arenaOf } from '../../../memory/arena.ts';
import type { WasmFunction } from '../../../memory/wasm.ts';
import { CHUNK_WORDS, type NumericColumn } from '../../../segment/leaf.ts';

const modules = new KernelModule('columns');
const kernels = new WeakMap<Arena, ColumnKernel | null>();

/** The kernels over an arena. */
export class ColumnKernel {
  readonly #bits: Uint32Array;
  readonly #rangeBits: WasmFunction;

  private constructor(bits: Uint32Array, rangeBits: WasmFunction) {
    this.#bits = bits;
    this.#rangeBits = rangeBits;
  }

  /** Undefined where the column lies in no arena, or there are no kernels. */
  static over({ hi, lo, present }: NumericColumn): ColumnKernel | undefined {
    const arena = arenaOf(hi.buffer);
    if (arena === undefined || arenaOf(lo.buffer) !== arena || arenaOf(present.buffer) !== arena)
      return undefined;
    let kernel = kernels.get(arena);
    if (kernel === undefined) {
      const rangeBits = modules.functionsFor(arena)?.['rangeBits'];
      const block = rangeBits && arena.alloc(CHUNK_WORDS * 4);
      kernel =
        rangeBits === undefined || block === undefined
          ? null
          : new ColumnKernel(new Uint32Array(block.buffer, block.ptr, CHUNK_WORDS), rangeBits);
      kernels.set(arena, kernel);
    }
    return kernel ?? undefined;
  }

  /**
   * Writes the bits of `docs` documents from `base` on whose key is between both bounds, which are included. Returns whether there are
   * any. REQUIRES: a single-valued column; `base` is a multiple of 32.
   */
  rangeBits(
    { hi, lo, present }: NumericColumn,
    base: number,
    docs: number,
    min: Key64,
    max: Key64,
    bits: Uint32Array,
  ): boolean {
    const any = this.#rangeBits(
      hi.byteOffset + base * 4,
      lo.byteOffset + base * 4,
      present.byteOffset + base / 8,
      docs,
      min.hi,
      min.lo,
      max.hi,
      max.lo,
      this.#bits.byteOffset,
    );
    const words = (docs + 31) >>> 5;
    bits.set(this.#bits.subarray(0, words));
    bits.fill(0, words);
    return any !== 0;
  }
}
