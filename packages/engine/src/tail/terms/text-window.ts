// How does compiled code get to read a text? It is copied into an arena, where the terms are as well; cutting lowers the
// copy in place. Where there are no kernels, or the table lies elsewhere, forward.ts does it alone.

import { KernelModule } from '../../kernels/kernel-module.ts';
import { arenaOf } from '../../memory/arena.ts';
import { copyBytes } from '../../memory/copy.ts';
import type { Block, Memory } from '../../memory/memory.ts';
import type { WasmFunction } from '../../memory/wasm.ts';
import type { GrowableWords } from './growable.ts';
import type { TermTable } from './term-table.ts';

const kernels = new KernelModule('ingest');

/** Room for the results of a call, before the text: edges and probes of 136 words (kernels/assembly/ingest/layout.ts). */
const RESULT_BYTES = 64 + 136 * (8 + 32);
/** Kernels read and write so many bytes behind a text. */
const MARGIN = 128;
const FIRST_BYTES = 8192;

/** Why the kernel stopped: at the end, at a word that it cannot cut, or at a term that is new. */
export const DONE = 0;
export const NEEDS_CALLER = 1;
export const NEW_TERM = 2;

/** Cuts texts with the kernel `words`. Scratch of one tail. */
export class TextWindow {
  readonly #memory: Memory;
  #block: Block | undefined;
  #words: WasmFunction | undefined;
  #result: Uint32Array = new Uint32Array(3);
  #copy: Uint8Array = new Uint8Array(0);

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Takes a text in, for fields whose terms lie at `arena`; false where the caller has to cut it. */
  take(bytes: Uint8Array, start: number, end: number, arena: number): boolean {
    const length = end - start;
    if (this.#block === undefined || length > this.#copy.length) this.#make(length);
    if (this.#words === undefined || this.#block!.arena !== arena) return false;
    copyBytes(bytes, start, end, this.#copy, 0);
    return true;
  }

  /**
   * Appends the numbers of words from `at` of the text on, up to `length`; `stopped`, `behind` and `why` tell where it
   * ended. REQUIRES: taken; `tokens` lies in the same arena, with room for a number for every two bytes.
   */
  cut(head: number, at: number, length: number, longest: number, tokens: GrowableWords): void {
    const base = this.#copy.byteOffset;
    const out = tokens.view.byteOffset + tokens.length * 4;
    tokens.length += this.#words!(head, this.#block!.ptr, base + at, base + length, longest, out);
  }

  /** Why the last call ended: DONE, ASK or NEW. */
  get why(): number {
    return this.#result[2]!;
  }

  /** Where in the text it stopped. */
  get stopped(): number {
    return this.#result[0]! - this.#copy.byteOffset;
  }

  /** Where the new term ends. */
  get behind(): number {
    return this.#result[1]! - this.#copy.byteOffset;
  }

  /** Number of a term of the text, given now: it is in lower case there. */
  intern(table: TermTable): number {
    return table.intern(this.#copy, this.stopped, this.behind);
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
    this.#words = arena === undefined ? undefined : kernels.functionsFor(arena)?.['cutWords'];
    this.#result = new Uint32Array(block.buffer, block.ptr, 3);
    this.#copy = new Uint8Array(block.buffer, block.ptr + RESULT_BYTES, room);
  }
}
