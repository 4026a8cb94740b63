// Unpacks a segment file. Pieces are checked against their checksums and decompressed by Node's thread
// pool, several at a time, into their place in an arena. Right checksums are trusted: structure is not
// checked again (doctor does). Terms of text fields are checked too, but may stay packed until a search
// or a merge needs them, or five seconds have passed.

import { promisify } from 'node:util';
import { crc32, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { runSliced } from '../../turn.ts';
import { ENTRY_BYTES, HEADER_BYTES, KIND } from '../format.ts';
import { SectionTable, SegmentDamagedError } from '../section-table.ts';
import { deriveSections } from './derived-sections.ts';
import { decodePackedTable, ENCODING, type PackedPiece, type PackedTable } from './packed-format.ts';
import { fromPlanes16, fromPlanes32 } from './planes.ts';
import { findWordPieces } from './word-pieces.ts';

interface Bounds {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
}

const decompress = promisify<Uint8Array, Bounds, Buffer>(zstdDecompress);
/** Pieces under way: one per pool thread, and a few waiting. */
const AT_ONCE = 6;
const NOTHING = new Uint8Array(0);

/** The table of a packed file. Throws SegmentDamagedError if it is invalid. */
export function readPackedTable(file: Uint8Array): PackedTable {
  const table = decodePackedTable(file);
  if (typeof table === 'string') throw new SegmentDamagedError(table);
  return table;
}

/**
 * Unpacks a file into `into`, which has the length of the segment. Rejects with SegmentDamagedError if a piece is damaged;
 * the contents of `into` are then undefined. O(bytes).
 */
export async function unpackSegment(file: Uint8Array, table: PackedTable, into: Uint8Array): Promise<void> {
  const unpacking = new SegmentUnpacker(file, table, into);
  await unpacking.unpackRest();
  await unpacking.unpack();
}

/**
 * Unpacks one segment: first everything but the terms of texts (`unpackRest`), then those (`unpack`) when
 * they are needed.
 */
export class SegmentUnpacker {
  #file: Uint8Array;
  readonly #into: Uint8Array;
  readonly #pieces: readonly PackedPiece[];
  /** Pieces of text terms that are still packed, in reverse order. */
  #left: number[] = [];
  /** Pieces that the pool is decompressing. */
  readonly #inFlight = new Set<number>();
  /** Where derived sections of text terms begin, until they have been computed. */
  #derived: ReadonlySet<number> = new Set();
  #words: Promise<void> | undefined;
  #stopped = false;

  /** `left`: the pieces still to unpack, as `unpackRestNow` returned them. */
  constructor(file: Uint8Array, { pieces }: PackedTable, into: Uint8Array, left?: readonly number[]) {
    this.#file = file;
    this.#into = into;
    this.#pieces = pieces;
    if (left === undefined) return;
    this.#leave(left);
    this.#releaseFile();
  }

  /** True when the terms of texts are unpacked, too. */
  get isDone(): boolean {
    return this.#left.length === 0 && this.#inFlight.size === 0 && this.#derived.size === 0;
  }

  /**
   * Unpacks everything but the terms of texts, which are only checked. Call once, first. Rejects with
   * SegmentDamagedError.
   */
  async unpackRest(): Promise<void> {
    const pieces = this.#pieces;
    this.#zeroGaps();
    const words = this.#wordPieces();
    const left: number[] = [];
    const derived = new Set<number>();
    let next = 0;
    await runConcurrently(async () => {
      if (next === pieces.length) return false;
      const number = next++;
      const { start, packing } = pieces[number]!;
      if (words.has(start)) {
        this.#storedBytes(number);
        left.push(number);
      } else if (packing === ENCODING.derived) derived.add(start);
      else this.#put(number, await inflated(pieces[number]!, this.#storedBytes(number)));
      return true;
    });
    if (derived.size > 0) await runSliced(this.#derive(derived));
    this.#leave(left);
    this.#releaseFile();
  }

  /** Leaves these pieces for `unpack`. */
  #leave(left: readonly number[]): void {
    const isDerived = (number: number): boolean => this.#pieces[number]!.packing === ENCODING.derived;
    this.#left = left.filter((number) => !isDerived(number)).reverse();
    this.#derived = new Set(left.filter(isDerived).map((number) => this.#pieces[number]!.start));
  }

  /**
   * As `unpackRest`, synchronously, for a background thread. Returns the pieces left. Throws
   * SegmentDamagedError.
   */
  unpackRestNow(): number[] {
    this.#zeroGaps();
    const words = this.#wordPieces();
    const left: number[] = [];
    const derived = new Set<number>();
    for (const [number, { start, packing }] of this.#pieces.entries()) {
      if (words.has(start)) {
        this.#storedBytes(number);
        left.push(number);
      } else if (packing === ENCODING.derived) derived.add(start);
      else this.#putNow(number);
    }
    for (const _ of this.#derive(derived));
    this.#leave(left);
    return left;
  }

  /**
   * Unpacks the terms of texts in the background; callers share the promise. Rejects with SegmentDamagedError. Also resolves
   * after `stop`: check `isDone`.
   */
  unpack(): Promise<void> {
    this.#words ??= this.isDone ? Promise.resolve() : this.#unpackWords();
    return this.#words;
  }

  /** Unpacks the terms of texts synchronously. Throws SegmentDamagedError. */
  unpackNow(): void {
    for (const number of [...this.#inFlight, ...this.#left]) this.#putNow(number);
    this.#inFlight.clear();
    this.#left = [];
    for (const _ of this.#derive(this.#derived));
    this.#derived = new Set();
    this.#releaseFile();
  }

  /**
   * Stops background work, because the block is about to be freed: from now on only `unpackNow` writes to it.
   */
  stop(): void {
    this.#stopped = true;
  }

  #zeroGaps(): void {
    let end = 0;
    for (const { start, length } of this.#pieces) {
      this.#into.fill(0, end, start);
      end = start + length;
    }
    this.#into.fill(0, end);
  }

  async #unpackWords(): Promise<void> {
    await runConcurrently(async () => {
      const number = this.#stopped ? undefined : this.#left.pop();
      if (number === undefined) return false;
      this.#inFlight.add(number);
      const bytes = await inflated(this.#pieces[number]!, this.#storedBytes(number));
      // Unless `unpackNow` was faster.
      if (!this.#stopped && this.#inFlight.delete(number)) this.#put(number, bytes);
      return true;
    });
    // Unless `unpackNow` has computed them meanwhile.
    await runSliced(this.#derive(this.#derived), () => this.#stopped || this.#derived.size === 0);
    if (!this.#stopped) this.#derived = new Set();
    this.#releaseFile();
  }

  /** Computes the derived sections that begin at these places. */
  *#derive(derived: ReadonlySet<number>): Generator<void, void> {
    if (derived.size === 0) return;
    try {
      yield* deriveSections(new SectionTable(this.#into), derived);
    } catch (error) {
      if (error instanceof RangeError) throw new SegmentDamagedError(error.message);
      throw error;
    }
  }

  /**
   * Where pieces of text terms begin; none if the segment cannot be read. Unpacks the head and the field
   * records.
   */
  #wordPieces(): ReadonlySet<number> {
    const none = new Set<number>();
    const into = this.#into;
    if (into.length < HEADER_BYTES || (this.#pieces[0]?.length ?? 0) < HEADER_BYTES) return none;
    this.#putRange(0, HEADER_BYTES);
    const sections = new DataView(into.buffer, into.byteOffset, into.length).getUint32(20, true);
    this.#putRange(HEADER_BYTES, HEADER_BYTES + sections * ENTRY_BYTES);
    try {
      const table = new SectionTable(into);
      const { byteOffset, length } = table.u8(KIND.fields);
      const start = byteOffset - into.byteOffset;
      this.#putRange(start, start + length);
      return findWordPieces(table);
    } catch (error) {
      // Opening the segment will report what is wrong.
      if (error instanceof SegmentDamagedError || error instanceof RangeError) return none;
      throw error;
    }
  }

  /** Unpacks the pieces of a range of the segment. */
  #putRange(from: number, to: number): void {
    for (const [number, { start, length }] of this.#pieces.entries())
      if (start < to && start + length > from) this.#putNow(number);
  }

  #putNow(number: number): void {
    this.#put(number, inflatedNow(this.#pieces[number]!, this.#storedBytes(number)));
  }

  /** The stored bytes of a piece. Throws SegmentDamagedError if their checksum differs. */
  #storedBytes(number: number): Uint8Array {
    const { at, stored, crc } = this.#pieces[number]!;
    const bytes = this.#file.subarray(at, at + stored);
    if (crc32(bytes) !== crc)
      throw new SegmentDamagedError(`checksum of piece ${number} at ${at} does not match`);
    return bytes;
  }

  #put(number: number, restored: Uint8Array | undefined): void {
    const { packing, start, length, at } = this.#pieces[number]!;
    if (restored?.length !== length)
      throw new SegmentDamagedError(`piece ${number} at ${at} does not have ${length} bytes`);
    const place = this.#into.subarray(start, start + length);
    const { buffer, byteOffset } = place;
    if (packing === ENCODING.words16)
      fromPlanes16(restored, new Uint16Array(buffer, byteOffset, length >>> 1));
    else if (packing === ENCODING.words32)
      fromPlanes32(restored, new Uint32Array(buffer, byteOffset, length >>> 2), 1);
    else if (packing === ENCODING.records)
      fromPlanes32(restored, new Uint32Array(buffer, byteOffset, length >>> 2), 4);
    else place.set(restored);
  }

  /** Releases the file when nothing of it is needed any more. */
  #releaseFile(): void {
    if (this.isDone) this.#file = NOTHING;
  }
}

/**
 * Runs steps, several at a time, until one returns false or fails. Waits for all of them in any case: none may write to the
 * segment after the caller has it back.
 */
async function runConcurrently(step: () => Promise<boolean>): Promise<void> {
  let damage: unknown;
  const work = async (): Promise<void> => {
    while (damage === undefined && (await step()));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error) => (damage ??= error))));
  if (damage !== undefined) throw damage;
}

/** The decompressed bytes; undefined when they are no zstd, or longer than declared. */
async function inflated(piece: PackedPiece, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (piece.packing === ENCODING.plain) return bytes;
  try {
    return await decompress(bytes, boundsOf(piece));
  } catch {
    return undefined;
  }
}

function inflatedNow(piece: PackedPiece, bytes: Uint8Array): Uint8Array | undefined {
  if (piece.packing === ENCODING.plain) return bytes;
  try {
    return zstdDecompressSync(bytes, boundsOf(piece));
  } catch {
    return undefined;
  }
}

/** One step: the default returns to JavaScript every 16 KiB. */
function boundsOf({ length }: PackedPiece): Bounds {
  return { chunkSize: Math.max(64, length), maxOutputLength: Math.max(1, length) };
}
