// Which arena do these bytes lie in? Views are all that most code holds; kernels need the memory under them. Every
// buffer that an arena has had is known, as long as anybody has a view of it.

import type { Block } from './memory.ts';
import type { WasmMemory } from './wasm.ts';

/** One arena, to those who work in it. */
export interface Arena {
  readonly memory: WasmMemory;
  /** A block in this arena; undefined when it has no room. For scratch and small copies, which kernels need beside the bytes. */
  alloc(bytes: number): Block | undefined;
  free(block: Block): void;
}

const arenas = new WeakMap<ArrayBufferLike, Arena>();

/** Makes the arena known by the buffer that it has now: to be said again whenever it has grown. */
export function announce(arena: Arena): void {
  arenas.set(arena.memory.buffer, arena);
}

/** The arena of a view's buffer; undefined where that is not one of an arena. */
export function arenaOf(buffer: ArrayBufferLike): Arena | undefined {
  return arenas.get(buffer);
}
