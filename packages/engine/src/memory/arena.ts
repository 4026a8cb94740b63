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
/** All that were announced, each once. */
let known: WeakRef<Arena>[] = [];

/** Makes the arena known by the buffer that it has now: to be said again whenever that may be another. */
export function announce(arena: Arena): void {
  const { buffer } = arena.memory;
  if (arenas.get(buffer) === arena) return;
  arenas.set(buffer, arena);
  known = known.filter((one) => one.deref() !== undefined);
  if (!known.some((one) => one.deref() === arena)) known.push(new WeakRef(arena));
}

/** The arena of a view's buffer; undefined where that is not one of an arena. */
export function arenaOf(buffer: ArrayBufferLike): Arena | undefined {
  const found = arenas.get(buffer);
  if (found !== undefined || !(buffer instanceof SharedArrayBuffer)) return found;
  // When any shared memory of a thread grows, V8 gives all of them new buffers over the same bytes.
  for (const one of known) {
    const arena = one.deref();
    if (arena?.memory.buffer !== buffer) continue;
    arenas.set(buffer, arena);
    return arena;
  }
  return undefined;
}
