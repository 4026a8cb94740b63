// Where does a cache keep its arrays? In blocks of the arenas, as everything large: one budget, nothing for the garbage
// collector to walk, and bytes that any thread can be given. What has no room stays where it was made, and is not kept.

import { ALIGNMENT } from './free-space.ts';
import type { Block, Memory } from './memory.ts';

/** What a block takes on the heap: itself, its place among those that are handed out, and the array over it. */
const BLOCK_HEAP = 320;
/** What this takes on the heap. */
const OWN_HEAP = 128;
const NONE = new Uint32Array(0);

/** Arrays that are kept together and freed together, when their last user lets go. */
export class Held {
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
  ): { readonly held: Held; readonly arrays: { [K in keyof T]: Uint32Array } } | undefined {
    const held = new Held(memory);
    const copies: Uint32Array[] = [];
    for (const array of arrays) {
      const copy = held.add(array);
      if (copy === undefined) {
        held.release();
        return undefined;
      }
      copies.push(copy);
    }
    return { held, arrays: copies as { [K in keyof T]: Uint32Array } };
  }

  /** One more array; undefined when there is no room, or nobody keeps these any more. */
  add(array: Uint32Array): Uint32Array | undefined {
    if (array.length === 0) return NONE;
    const block = this.#users > 0 ? this.#memory.tryAlloc(array.byteLength) : undefined;
    if (block === undefined) return undefined;
    // Not `push`, which makes room for a dozen more.
    this.#blocks = [...this.#blocks, block];
    const copy = new Uint32Array(block.buffer, block.ptr, array.length);
    copy.set(array);
    return copy;
  }

  /** What `bytes` will be for one array of so many bytes. */
  static bytesFor(arrayBytes: number): number {
    return OWN_HEAP + BLOCK_HEAP + Math.ceil(arrayBytes / ALIGNMENT) * ALIGNMENT;
  }

  /** Bytes of all blocks, and what they take on the heap. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.bytes + BLOCK_HEAP, OWN_HEAP);
  }

  /** One more user. */
  share(): this {
    this.#users++;
    return this;
  }

  /** A user lets go. Readings that are open (Memory.enter) may go on looking. */
  release(): void {
    if (--this.#users !== 0) return;
    for (const block of this.#blocks) this.#memory.free(block);
    this.#blocks = [];
  }
}
