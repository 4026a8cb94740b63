// The frame of one commit under construction. A single writer lays frames out one after the other, so the
// position of a frame is known from the start, and every record knows at once where its source will be. The
// checksum of the records grows with them; the header is added last (checksum.ts combines the two).

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

/**
 * The checksum is updated every so many bytes (about 10 µs): for a frame of megabytes it would take a
 * millisecond at once.
 */
const CHECKSUM_STEP = 16_384;

/** Gives a slab that begins at `start` and has room for `need` bytes. */
export type SlabSource = (chunk: number, start: number, need: number) => Slab;

/** One commit, record by record. Obtained from `DocumentLog.beginFrame`. */
export class FrameBuilder {
  readonly commit: number;
  readonly chunk: number;
  /** Offset of the frame in its chunk. */
  readonly offset: number;
  /** Epoch of the layout; a reset voids the frames of older epochs. */
  readonly epoch: number;
  /**
   * False if its callers are many with little each: for them packing would take longer than everything else.
   */
  readonly isPackable: boolean;
  /** Set if it is sealed and being packed: it will be an append of its own. */
  pendingPack: PendingPack | undefined;
  #records = 0;
  #documents = 0;
  #open = true;
  #moved = false;
  #slab: Slab;
  /** Position in the slab behind the last record. */
  #end: number;
  /** CRC-32 of the records so far, and how many bytes of the frame it covers. */
  #sum = 0;
  #checksummed = FRAME_HEADER;
  /** The append start it was sealed with. */
  #appendStart = -1;
  readonly #slabs: SlabSource;

  /** `bytes` is its expected size; a larger frame is copied as it grows. */
  constructor(
    commit: number,
    slab: Slab,
    offset: number,
    epoch: number,
    slabs: SlabSource,
    bytes: number = 0,
    isPackable: boolean = true,
  ) {
    this.commit = commit;
    this.chunk = slab.chunk;
    this.offset = offset;
    this.epoch = epoch;
    this.isPackable = isPackable;
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

  /** Number of documents among them. A frame without documents may use the space of the ballast. */
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

  /** A view of the source of a document added before; it never changes. */
  source({ offset, length }: LogPointer): Uint8Array {
    const { bytes, start } = this.#slab;
    this.#slab.hasViews = true;
    return bytes.subarray(offset - start, offset - start + length);
  }

  /** Adds a deletion. */
  delete(entry: DeleteEntry): void {
    this.#add(entry, undefined, undefined);
  }

  /** Adds a copy of a record with its original commit. For moved chunks only. */
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

  /**
   * Writes the header with the checksum. `appendStart` as in format.ts. Throws if it is being packed with
   * another one.
   */
  seal(appendStart: number, commit: number = this.commit): void {
    if (this.pendingPack !== undefined) {
      if (appendStart === this.#appendStart) return;
      throw new Error(`the frame of commit ${this.commit} was packed for another place of an append`);
    }
    this.#appendStart = appendStart;
    this.close();
    const { offset, chunk } = this;
    const records = this.#records;
    this.#updateChecksum();
    sealFrame(this.bytes, { offset, appendStart, records, commit, moved: this.#moved, chunk }, this.#sum);
  }

  #updateChecksum(): void {
    const { bytes } = this;
    this.#sum = crc32(bytes.subarray(this.#checksummed), this.#sum);
    this.#checksummed = bytes.length;
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
    if (this.length - this.#checksummed >= CHECKSUM_STEP) this.#updateChecksum();
    return { chunk: this.chunk, offset: this.#slab.start + at, length };
  }

  /** Makes room behind the frame, in a new slab if necessary. */
  #room(more: number): void {
    if (this.#slab.bytes.length - this.#end >= more) return;
    const length = this.length;
    if (this.offset + length + more > OFFSET_MAX)
      throw illegalArgument(`a batch of more than ${OFFSET_MAX - this.offset} bytes does not fit in the log`);
    const built = this.bytes;
    // The size of an empty frame is expected; a frame that outgrows its slab may do so again.
    this.#slab = this.#slabs(this.chunk, this.offset, length === 0 ? more : (length + more) * 2);
    this.#slab.bytes.set(built);
    this.#end = length;
  }
}
