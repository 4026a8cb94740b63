// Arrays of a cache entry in blocks of the arenas: one budget for everything large, no work for the
// garbage collector, and any thread can read them. Reference-counted. An array without room stays on the
// heap and is not cached.

import { ALIGNMENT } from './free-space.ts';
import type { Block, Memory } from './memory.ts';

/** Heap bytes of a block: its object, its entry in the allocator's map, and the array over it. */
const BLOCK_HEAP = 320;
/** Heap bytes of a `CachedArrays`. */
const OWN_HEAP = 128;
const NONE = new Uint32Array(0);

/** Arrays that are freed together when the last user releases them. */
export class CachedArrays {
  readonly #memory: Memory;
  #blocks: readonly Block[] = [];
  #users = 1;

  private constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Copies arrays into blocks; undefined when there is no room for all of them. */
  static copy<T extends readonly Uint32Array[]>(
    memory: Memory,
    arrays: T,
  ): { readonly owner: CachedArrays; readonly arrays: { [K in keyof T]: Uint32Array } } | undefined {
    const owner = new CachedArrays(memory);
    const copies: Uint32Array[] = [];
    for (const array of arrays) {
      const copy = owner.add(array);
      if (copy === undefined) {
        owner.release();
        return undefined;
      }
      copies.push(copy);
    }
    return { owner, arrays: copies as { [K in keyof T]: Uint32Array } };
  }

  /** Adds an array; undefined when there is no room, or these arrays have been freed. */
  add(array: Uint32Array): Uint32Array | undefined {
    if (array.length === 0) return NONE;
    const block = this.#users > 0 ? this.#memory.tryAlloc(array.byteLength) : undefined;
    if (block === undefined) return undefined;
    // Not `push`, which reserves room for a dozen more.
    this.#blocks = [...this.#blocks, block];
    const copy = new Uint32Array(block.buffer, block.ptr, array.length);
    copy.set(array);
    return copy;
  }

  /** What `bytes` will be for one array of this size. */
  static bytesFor(arrayBytes: number): number {
    return OWN_HEAP + BLOCK_HEAP + Math.ceil(arrayBytes / ALIGNMENT) * ALIGNMENT;
  }

  /** Bytes of all blocks and of their heap objects. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.bytes + BLOCK_HEAP, OWN_HEAP);
  }

  /** Adds a user. */
  share(): this {
    this.#users++;
    return this;
  }

  /** Removes a user. Open readings (`Memory.beginReading`) may go on. */
  release(): void {
    if (--this.#users !== 0) return;
    for (const block of this.#blocks) this.#memory.free(block);
    this.#blocks = [];
  }
}
