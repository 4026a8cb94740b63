// Finds the arena that a view lies in. Most code holds views only; kernels need the memory under them.
// Every buffer that an arena ever had stays registered as long as a view of it exists.

import type { Block } from './memory.ts';
import type { WasmMemory } from './wasm.ts';

/** One arena, as kernels see it. */
export interface Arena {
  readonly memory: WasmMemory;
  /**
   * A block in this arena; undefined when it has no room. For scratch and copies that a kernel needs in the
   * same arena.
   */
  alloc(bytes: number): Block | undefined;
  free(block: Block): void;
}

const arenas = new WeakMap<ArrayBufferLike, Arena>();
/** All registered arenas, each once. */
let known: WeakRef<Arena>[] = [];

/** Registers the current buffer of an arena. Call again whenever the buffer may have been replaced. */
export function registerArena(arena: Arena): void {
  const { buffer } = arena.memory;
  if (arenas.get(buffer) === arena) return;
  arenas.set(buffer, arena);
  known = known.filter((one) => one.deref() !== undefined);
  if (!known.some((one) => one.deref() === arena)) known.push(new WeakRef(arena));
}

/** The arena of a view's buffer; undefined if the buffer is not an arena's. */
export function arenaOf(buffer: ArrayBufferLike): Arena | undefined {
  const found = arenas.get(buffer);
  if (found !== undefined || !(buffer instanceof SharedArrayBuffer)) return found;
  // When one shared memory of a thread grows, V8 replaces the buffers of all of them (over the same bytes).
  for (const one of known) {
    const arena = one.deref();
    if (arena?.memory.buffer !== buffer) continue;
    arenas.set(buffer, arena);
    return arena;
  }
  return undefined;
}
