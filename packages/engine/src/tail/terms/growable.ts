// Growable arrays in an arena: each doubles into a new block; the allocator keeps the old block until
// its readers have left. Never keep a `view` across a push.

import { copyBytes } from '../../memory/copy.ts';
import type { Block, Memory } from '../../memory/memory.ts';

const FIRST_BYTES = 256;

/** Owner of a block that is replaced by larger ones. */
abstract class Growable {
  readonly #memory: Memory;
  #block: Block | undefined;
  /** Elements in use. */
  length = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#block === undefined ? 0 : this.#block.bytes;
  }

  /** Arena of the block, -1 without one. */
  get arena(): number {
    return this.#block === undefined ? -1 : this.#block.arena;
  }

  protected enlarge(bytes: number): Block {
    const block = this.#memory.alloc(Math.max(bytes, FIRST_BYTES, this.bytes * 2));
    if (this.#block !== undefined) {
      const old = this.#block;
      const from = new Uint8Array(old.buffer, old.ptr, old.bytes);
      copyBytes(from, 0, old.bytes, new Uint8Array(block.buffer, block.ptr, old.bytes), 0);
      this.#memory.free(old);
    }
    this.#block = block;
    return block;
  }

  /**
   * Frees the block (a borrowed view has none). The view stays: readers of an older generation may still use
   * it.
   */
  release(): void {
    if (this.#block !== undefined) this.#memory.free(this.#block);
    this.#block = undefined;
  }
}

/** Bytes. */
export class GrowableBytes extends Growable {
  view: Uint8Array = new Uint8Array(0);

  /** The elements in use, for another thread to read. */
  lend(): Uint8Array {
    return this.view.subarray(0, this.length);
  }

  /** Shows the elements that another thread has lent. REQUIRES: no writes from then on. */
  borrow(view: Uint8Array): void {
    this.view = view;
    this.length = view.length;
  }

  push(x: number): void {
    if (this.length === this.view.length) this.reserve(1);
    this.view[this.length++] = x;
  }

  /** The same byte `n` times. */
  fill(x: number, n: number): void {
    this.reserve(n);
    this.view.fill(x, this.length, this.length + n);
    this.length += n;
  }

  append(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { view } = this;
    let at = this.length;
    for (let i = start; i < end; i++) view[at++] = source[i]!;
    this.length = at;
  }

  /** Makes room for `n` more. */
  reserve(n: number): void {
    if (this.length + n <= this.view.length) return;
    const block = this.enlarge(this.length + n);
    this.view = new Uint8Array(block.buffer, block.ptr, block.bytes);
  }
}

/** Unsigned 32-bit numbers. */
export class GrowableWords extends Growable {
  view: Uint32Array = new Uint32Array(0);

  lend(): Uint32Array {
    return this.view.subarray(0, this.length);
  }

  borrow(view: Uint32Array): void {
    this.view = view;
    this.length = view.length;
  }

  push(x: number): void {
    if (this.length === this.view.length) this.reserve(1);
    this.view[this.length++] = x;
  }

  /** Makes room for `n` more. */
  reserve(n: number): void {
    if (this.length + n <= this.view.length) return;
    const block = this.enlarge((this.length + n) * 4);
    this.view = new Uint32Array(block.buffer, block.ptr, block.bytes >>> 2);
  }
}

/** Doubles, for integers up to 2^53. */
export class GrowableDoubles extends Growable {
  view: Float64Array = new Float64Array(0);

  lend(): Float64Array {
    return this.view.subarray(0, this.length);
  }

  borrow(view: Float64Array): void {
    this.view = view;
    this.length = view.length;
  }

  push(x: number): void {
    if (this.length === this.view.length) {
      const block = this.enlarge((this.length + 1) * 8);
      this.view = new Float64Array(block.buffer, block.ptr, block.bytes >>> 3);
    }
    this.view[this.length++] = x;
  }
}
