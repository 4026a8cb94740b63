// The arenas of the writing thread as a replica sees them: the same memories, in which it owns nothing but
// scratch blocks. Kernels need scratch in the arena of the bytes they read.

import { type Arena, arenaOf, registerArena } from '../../memory/arena.ts';
import { ALIGNMENT, FreeSpace } from '../../memory/free-space.ts';
import type { Block } from '../../memory/memory.ts';
import type { WasmMemory } from '../../memory/wasm.ts';
import type { ArenaRange, ScratchRequest } from './replica-messages.ts';

/** Bytes of a scratch block; more if an allocation needs it. */
export const SCRATCH_BYTES: number = 2 << 20;
/** With so little scratch left, more is requested. Without scratch a search runs without kernels. */
const LOW_BYTES = SCRATCH_BYTES / 4;

/** The arenas by number. */
export class ReplicaArenas {
  readonly #arenas: ReplicaArena[] = [];
  readonly #ask: (request: ScratchRequest) => void;

  /** `ask` requests more scratch, which comes with a later message. */
  constructor(ask: (request: ScratchRequest) => void) {
    this.#ask = ask;
  }

  add(memory: WasmMemory): void {
    const number = this.#arenas.length;
    this.#arenas.push(new ReplicaArena(number, memory, (bytes) => this.#ask({ arena: number, bytes })));
  }

  /** Adds a scratch block: this thread owns it from here on. */
  addScratch({ arena, ptr, bytes }: ArenaRange): void {
    this.#arenas[arena]!.addScratch(ptr, bytes);
  }

  /** A view of bytes of the writing thread. */
  view(arena: number, ptr: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#arenas[arena]!.bufferFor(ptr + bytes), ptr, bytes);
  }

  /** The same as a block, which this thread must not free. */
  block({ arena, ptr, bytes }: ArenaRange): Block {
    return { arena, buffer: this.#arenas[arena]!.bufferFor(ptr + bytes), ptr, bytes };
  }
}

class ReplicaArena implements Arena {
  readonly memory: WasmMemory;
  readonly #number: number;
  readonly #free = new FreeSpace();
  readonly #ask: (bytes: number) => void;
  #left = 0;
  #isAsking = false;

  constructor(number: number, memory: WasmMemory, ask: (bytes: number) => void) {
    this.#number = number;
    this.memory = memory;
    this.#ask = ask;
  }

  /** The current buffer: another thread may have grown the memory. */
  bufferFor(end: number): SharedArrayBuffer {
    if (end > this.memory.buffer.byteLength) this.memory.grow(0);
    const { buffer } = this.memory;
    if (arenaOf(buffer) === undefined) registerArena(this);
    return buffer;
  }

  addScratch(ptr: number, bytes: number): void {
    this.#free.add(ptr, bytes);
    this.#left += bytes;
    this.#isAsking = false;
  }

  alloc(bytes: number): Block | undefined {
    const length = Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT;
    const ptr = this.#free.take(length);
    if (ptr >= 0) this.#left -= length;
    if ((ptr < 0 || this.#left < LOW_BYTES) && !this.#isAsking) {
      this.#isAsking = true;
      this.#ask(length);
    }
    if (ptr < 0) return undefined;
    return { arena: this.#number, buffer: this.bufferFor(ptr + length), ptr, bytes: length };
  }

  free({ ptr, bytes }: Block): void {
    this.#free.add(ptr, bytes);
    this.#left += bytes;
  }
}
