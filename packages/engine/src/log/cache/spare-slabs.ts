// Which memory of slabs is used again? That of slabs that were forgotten before anybody read them, as most are where documents
// are written over and over: memory that comes anew costs a page fault for every 4 KiB, and as garbage it has the heap looked
// through. It is given back when no slab was begun for a while: what would be garbage waits for the next collection.

import { releaseBuffers } from '../../memory/release-buffers.ts';

const IDLE_MS = 10_000;

/** Memory that nobody looks at any more, up to so many bytes together. */
export class SpareSlabs {
  readonly #most: number;
  #bytes = 0;
  /** Kept longest first. */
  #spares: Uint8Array[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Bytes kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Memory for `length` bytes, not much more, with whatever is in it; undefined where there is none. */
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

  /** Keeps memory, in place of what was kept longest where there is no room. REQUIRES: nobody will look at it. */
  put(bytes: Uint8Array): void {
    if (bytes.length > this.#most) return;
    this.#spares.push(bytes);
    this.#bytes += bytes.length;
    while (this.#bytes > this.#most) {
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

/** A slab may lie in so many times the memory that it needs. */
const WASTE = 1.25;
