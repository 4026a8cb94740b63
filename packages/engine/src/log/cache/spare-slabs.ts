// Memory of dropped slabs that was never read, kept for new slabs. Most slabs are such where documents are
// overwritten again and again. Fresh memory costs a page fault for every 4 KiB, and as garbage it triggers
// heap collections. The memory is released explicitly when no slab was begun for a while.

import { releaseBuffers } from '../../memory/release-buffers.ts';

const IDLE_MS = 10_000;

/** Spare buffers, up to a total size. */
export class SpareSlabs {
  readonly #maxBytes: number;
  #bytes = 0;
  /** Oldest first. */
  #spares: Uint8Array[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(mostBytes: number) {
    this.#maxBytes = mostBytes;
  }

  /** Total size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A buffer for `length` bytes, not much larger, with undefined contents; undefined if there is none. */
  take(length: number): Uint8Array | undefined {
    this.#idle?.refresh();
    let best = -1;
    for (let i = 0; i < this.#spares.length; i++) {
      const has = this.#spares[i]!.length;
      if (has < length || has > length * WASTE) continue;
      if (best < 0 || has < this.#spares[best]!.length) best = i;
    }
    if (best < 0) return undefined;
    const spare = this.#spares.splice(best, 1)[0]!;
    this.#bytes -= spare.length;
    return spare;
  }

  /** Keeps a buffer; the oldest ones make room for it. REQUIRES: no view of it is held. */
  put(bytes: Uint8Array): void {
    if (bytes.length > this.#maxBytes) return;
    this.#spares.push(bytes);
    this.#bytes += bytes.length;
    while (this.#bytes > this.#maxBytes) {
      const longest = this.#spares.shift()!;
      this.#bytes -= longest.length;
      releaseBuffers([longest]);
    }
    this.#idle ??= setTimeout(() => this.#clear(), IDLE_MS).unref();
  }

  #clear(): void {
    this.#idle = undefined;
    releaseBuffers(this.#spares);
    this.#spares = [];
    this.#bytes = 0;
  }
}

/** A slab may use a buffer at most so many times as large as it needs. */
const WASTE = 1.25;
