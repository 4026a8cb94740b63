// The layout of frames that are begun but not appended: the next frame lies behind the last one begun,
// durable or not, or in a new chunk if this one is full.

import type { Slab } from '../cache/slab.ts';
import { CHUNK_HEADER, FRAME_HEADER } from '../format/format.ts';
import { FrameBuilder, type SlabSource } from './frame-builder.ts';

/** The end of the log as it will be when all begun frames are appended. */
export class FrameLayout {
  readonly #chunkBytes: number;
  readonly #slabs: SlabSource;
  readonly #nextChunk: () => number;
  #chunk: number;
  #end: number;
  #epoch = 0;
  #slab: Slab | undefined;
  #frame: FrameBuilder | undefined;

  constructor(chunk: number, end: number, chunkBytes: number, slabs: SlabSource, nextChunk: () => number) {
    this.#chunk = chunk;
    this.#end = end;
    this.#chunkBytes = chunkBytes;
    this.#nextChunk = nextChunk;
    this.#slabs = (number, start, need) => {
      this.#slab = slabs(number, start, need);
      return this.#slab;
    };
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The slab of the next frame. */
  get slab(): Slab | undefined {
    return this.#slab;
  }

  /** Begins the next frame; `bytes` and `isPackable` as in FrameBuilder. */
  begin(commit: number, bytes: number, isPackable: boolean): FrameBuilder {
    this.#close();
    if (this.#end >= this.#chunkBytes) {
      this.#chunk = this.#nextChunk();
      this.#end = CHUNK_HEADER;
      this.#slab = undefined;
    }
    const slab = this.#slab ?? this.#slabs(this.#chunk, this.#end, FRAME_HEADER + bytes);
    this.#frame = new FrameBuilder(commit, slab, this.#end, this.#epoch, this.#slabs, bytes, isPackable);
    return this.#frame;
  }

  /** Drops all frames that begin at or behind this position. Views of older bytes stay valid. */
  reset(chunk: number, end: number): void {
    this.#epoch++;
    this.#chunk = chunk;
    this.#end = end;
    this.#slab = undefined;
    this.#frame = undefined;
  }

  #close(): void {
    if (this.#frame !== undefined) this.#end = this.#frame.close();
    this.#frame = undefined;
  }
}
