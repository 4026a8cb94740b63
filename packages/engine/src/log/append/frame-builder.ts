// What will one commit be in the log? A frame under construction. Its place is known from the start, because frames are
// laid out one after the other by a single writer: so every record knows at once where its source will be.

import { crc32 } from 'node:zlib';
import { illegalArgument } from '../../errors.ts';
import { copyBytes } from '../../memory/copy.ts';
import type { Slab } from '../cache/slab.ts';
import { FRAME_HEADER, sealFrame } from '../format/format.ts';
import {
  type DeleteEntry,
  encodeRecord,
  type IndexEntry,
  type LogPointer,
  type MovedEntry,
  measureRecord,
} from '../format/record.ts';
import type { PendingPack } from '../stretch/packer.ts';

/** Chunk offsets are 32-bit numbers. */
const OFFSET_MAX = 2 ** 32 - 16;

/** So many bytes are summed at once, 10 µs or so: a frame of megabytes would take a millisecond when it is sealed. */
const SUMMED_AT_ONCE = 16_384;

/** Gives a slab that begins at `start` and has room for `need` bytes. */
export type SlabSource = (chunk: number, start: number, need: number) => Slab;

/** One commit, record by record. Obtained from `DocumentLog.beginFrame`. */
export class FrameBuilder {
  readonly commit: number;
  readonly chunk: number;
  /** Of the frame in its chunk. */
  readonly offset: number;
  /** Layouts since the start; one that was reset makes its frames worthless. */
  readonly epoch: number;
  /** False where its callers are many with little each, who would wait for packing longer than for everything else. */
  readonly isPackable: boolean;
  /** Set: it is sealed and being packed, and will be an append of its own. */
  pendingPack: PendingPack | undefined;
  #records = 0;
  #documents = 0;
  #open = true;
  #moved = false;
  #slab: Slab;
  /** Position in the slab behind the last record. */
  #end: number;
  /** The CRC-32 of the records as far as they are summed, and how many bytes from the start of the frame that is. */
  #sum = 0;
  #summed = FRAME_HEADER;
  /** As sealed last. */
  #appendStart = -1;
  readonly #slabs: SlabSource;

  /** Of about `bytes` bytes: one that comes to more is copied as it grows. */
  constructor(
    commit: number,
    slab: Slab,
    offset: number,
    epoch: number,
    slabs: SlabSource,
    bytes: number = 0,
    waits: boolean = true,
  ) {
    this.commit = commit;
    this.chunk = slab.chunk;
    this.offset = offset;
    this.epoch = epoch;
    this.isPackable = waits;
    this.#slab = slab;
    this.#end = offset - slab.start;
    this.#slabs = slabs;
    this.#room(FRAME_HEADER + bytes);
    this.#end += FRAME_HEADER;
  }

  /** Number of records so far. */
  get records(): number {
    return this.#records;
  }

  /** Number of documents among them: a frame without any needs no room for more than itself. */
  get documents(): number {
    return this.#documents;
  }

  /** Bytes so far, header included. */
  get length(): number {
    return this.#end + this.#slab.start - this.offset;
  }

  /** The frame as far as it is built; whole after `append`. */
  get bytes(): Uint8Array {
    return this.#slab.bytes.subarray(this.offset - this.#slab.start, this.#end);
  }

  /** Adds a document; returns where its source will lie. The bytes are copied. */
  index(entry: IndexEntry): LogPointer {
    this.#documents++;
    return this.#add(entry, entry.source, undefined);
  }

  /** The source of a document just added, where it lies. It never changes. */
  source({ offset, length }: LogPointer): Uint8Array {
    const { bytes, start } = this.#slab;
    this.#slab.hasViews = true;
    return bytes.subarray(offset - start, offset - start + length);
  }

  /** Adds a deletion. */
  delete(entry: DeleteEntry): void {
    this.#add(entry, undefined, undefined);
  }

  /** Adds a copy of a record with the commit that it had. For moved chunks only. */
  move(entry: MovedEntry): LogPointer {
    this.#moved = true;
    return this.#add(entry, entry.source, entry.commit);
  }

  /** No more records: pads the frame and returns the offset behind it. */
  close(): number {
    if (this.#open) {
      this.#open = false;
      const padding = -this.#end & 7;
      this.#room(padding);
      this.#slab.bytes.fill(0, this.#end, this.#end + padding);
      this.#end += padding;
      this.#slab.end = this.#slab.start + this.#end;
    }
    return this.offset + this.length;
  }

  /** Writes the header, with the checksum. `appendStart` as in format.ts. Throws where it was packed with another one. */
  seal(appendStart: number, commit: number = this.commit): void {
    if (this.pendingPack !== undefined) {
      if (appendStart === this.#appendStart) return;
      throw new Error(`the frame of commit ${this.commit} was packed for another place of an append`);
    }
    this.#appendStart = appendStart;
    this.close();
    const { offset, chunk } = this;
    const records = this.#records;
    this.#sumUp();
    sealFrame(this.bytes, { offset, appendStart, records, commit, moved: this.#moved, chunk }, this.#sum);
  }

  #sumUp(): void {
    const { bytes } = this;
    this.#sum = crc32(bytes.subarray(this.#summed), this.#sum);
    this.#summed = bytes.length;
  }

  #add(entry: DeleteEntry, source: Uint8Array | undefined, commit: number | undefined): LogPointer {
    if (!this.#open) throw new Error(`the frame of commit ${this.commit} is closed`);
    const shape = measureRecord(entry, commit !== undefined);
    const length = source?.length ?? 0;
    this.#room(shape.head + length + 8);
    encodeRecord(this.#slab.bytes, this.#end, entry, source, shape, commit);
    const at = this.#end + shape.head;
    if (source !== undefined) copyBytes(source, 0, length, this.#slab.bytes, at);
    this.#end = at + length;
    this.#slab.end = this.#slab.start + this.#end;
    this.#records++;
    if (this.length - this.#summed >= SUMMED_AT_ONCE) this.#sumUp();
    return { chunk: this.chunk, offset: this.#slab.start + at, length };
  }

  /** Makes room behind the frame, in a new slab if need be. */
  #room(more: number): void {
    if (this.#slab.bytes.length - this.#end >= more) return;
    const length = this.length;
    if (this.offset + length + more > OFFSET_MAX)
      throw illegalArgument(`a batch of more than ${OFFSET_MAX - this.offset} bytes does not fit in the log`);
    const built = this.bytes;
    // Of an empty frame the size is known; one that outgrows its slab may do so again.
    this.#slab = this.#slabs(this.chunk, this.offset, length === 0 ? more : (length + more) * 2);
    this.#slab.bytes.set(built);
    this.#end = length;
  }
}
