// Cuts texts with the kernel `cutWords`. A text is copied into a window of the arena that holds the
// field's terms; the kernel lowers the copy in place and writes term numbers. Without kernels, or if the
// table lies in another arena, forward/forward-field.ts cuts the text itself.

import { KernelModule } from '../../kernels/kernel-module.ts';
import { arenaOf } from '../../memory/arena.ts';
import { copyBytes } from '../../memory/copy.ts';
import type { Block, Memory } from '../../memory/memory.ts';
import type { WasmFunction } from '../../memory/wasm.ts';
import type { GrowableWords } from './growable.ts';
import type { TermTable } from './term-table.ts';

const kernels = new KernelModule('ingest');

/**
 * Room for the results of a call, before the text: edges and probes of 136 words
 * (kernels/assembly/ingest/layout.ts).
 */
const RESULT_BYTES = 64 + 136 * (8 + 32);
/** The kernel reads and writes so many bytes behind a text. */
const MARGIN = 128;
const FIRST_BYTES = 8192;

/** Why the kernel stopped: at the end, at a word that the caller must cut, or at a new term without room. */
export const DONE = 0;
export const NEEDS_CALLER = 1;
export const NEW_TERM = 2;

/** Scratch of one tail for cutting texts with the kernel. */
export class TextWindow {
  readonly #memory: Memory;
  #block: Block | undefined;
  #cutWords: WasmFunction | undefined;
  #result: Uint32Array = new Uint32Array(3);
  #copy: Uint8Array = new Uint8Array(0);

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Loads a text, for a field whose terms lie in `arena`; false if the caller must cut it. */
  load(bytes: Uint8Array, start: number, end: number, arena: number): boolean {
    const length = end - start;
    if (this.#block === undefined || length > this.#copy.length) this.#make(length);
    if (this.#cutWords === undefined || this.#block!.arena !== arena) return false;
    copyBytes(bytes, start, end, this.#copy, 0);
    return true;
  }

  /**
   * Appends the term numbers of the words from `at` on, up to `length`; `stopReason`, `stop` and `termEnd` say where it
   * ended. REQUIRES: loaded; `tokens` lies in the same arena, with room for a number for every two bytes.
   */
  cut(head: number, at: number, length: number, longest: number, tokens: GrowableWords): void {
    const base = this.#copy.byteOffset;
    const out = tokens.view.byteOffset + tokens.length * 4;
    tokens.length += this.#cutWords!(head, this.#block!.ptr, base + at, base + length, longest, out);
  }

  /** Why the last call ended: DONE, NEEDS_CALLER or NEW_TERM. */
  get stopReason(): number {
    return this.#result[2]!;
  }

  /** Where in the text it stopped. */
  get stop(): number {
    return this.#result[0]! - this.#copy.byteOffset;
  }

  /** Where the new term ends. */
  get termEnd(): number {
    return this.#result[1]! - this.#copy.byteOffset;
  }

  /** Interns the new term: the copy has it in lower case. */
  intern(table: TermTable): number {
    return table.intern(this.#copy, this.stop, this.termEnd);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#block?.bytes ?? 0;
  }

  release(): void {
    if (this.#block !== undefined) this.#memory.free(this.#block);
    this.#block = undefined;
    this.#copy = new Uint8Array(0);
  }

  #make(length: number): void {
    const room = Math.max(FIRST_BYTES, length * 2);
    this.release();
    const block = this.#memory.alloc(RESULT_BYTES + room + MARGIN);
    const arena = arenaOf(block.buffer);
    this.#block = block;
    this.#cutWords = arena === undefined ? undefined : kernels.functionsFor(arena)?.['cutWords'];
    this.#result = new Uint32Array(block.buffer, block.ptr, 3);
    this.#copy = new Uint8Array(block.buffer, block.ptr + RESULT_BYTES, room);
  }
}
