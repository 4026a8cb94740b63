// How does a reading thread see the arenas of the writing one? The same memories, in which it owns nothing but the rooms that
// it was given for what kernels need beside the bytes.

import { type Arena, arenaOf, registerArena } from '../../memory/arena.ts';
import { ALIGNMENT, FreeSpace } from '../../memory/free-space.ts';
import type { Block } from '../../memory/memory.ts';
import type { WasmMemory } from '../../memory/wasm.ts';
import type { ArenaRange, ScratchRequest } from './replica-messages.ts';

/** Bytes of a room; more where a block needs it. */
export const ROOM_BYTES: number = 2 << 20;
/** With so little left, more is asked for: who finds no room goes without kernels. */
const LITTLE = ROOM_BYTES / 4;

/** The arenas that were lent, by their numbers. */
export class ReplicaArenas {
  readonly #arenas: ReplicaArena[] = [];
  readonly #ask: (wanted: ScratchRequest) => void;

  /** `ask` asks for more room; it comes with a later message. */
  constructor(ask: (wanted: ScratchRequest) => void) {
    this.#ask = ask;
  }

  add(memory: WasmMemory): void {
    const number = this.#arenas.length;
    this.#arenas.push(new ReplicaArena(number, memory, (bytes) => this.#ask({ arena: number, bytes })));
  }

  /** From here on these bytes are this thread's. */
  addRoom({ arena, ptr, bytes }: ArenaRange): void {
    this.#arenas[arena]!.addRoom(ptr, bytes);
  }

  /** A view of lent bytes. */
  view(arena: number, ptr: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#arenas[arena]!.bufferFor(ptr + bytes), ptr, bytes);
  }

  /** The same as a block that is not this thread's to free. */
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

  /** The buffer as it is now: another thread may have grown the memory since it was last looked at. */
  bufferFor(end: number): SharedArrayBuffer {
    if (end > this.memory.buffer.byteLength) this.memory.grow(0);
    const { buffer } = this.memory;
    if (arenaOf(buffer) === undefined) registerArena(this);
    return buffer;
  }

  addRoom(ptr: number, bytes: number): void {
    this.#free.add(ptr, bytes);
    this.#left += bytes;
    this.#isAsking = false;
  }

  alloc(bytes: number): Block | undefined {
    const length = Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT;
    const ptr = this.#free.take(length);
    if (ptr >= 0) this.#left -= length;
    if ((ptr < 0 || this.#left < LITTLE) && !this.#isAsking) {
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
