// How does a file become a segment again? Pieces are checked here and decompressed by the system's pool of threads, several
// at a time, into their place. What has the right checksums is what was written: its shapes are not looked at again. The
// words of texts (words.ts), checked as well, may stay packed until somebody needs them.

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
/** Pieces under way: enough for every thread of the pool, and some that wait. */
const AT_ONCE = 6;
const NOTHING = new Uint8Array(0);

/** The table of a packed file. Throws SegmentDamaged where it cannot be trusted. */
export function readPackedTable(file: Uint8Array): PackedTable {
  const table = decodePackedTable(file);
  if (typeof table === 'string') throw new SegmentDamagedError(table);
  return table;
}

/**
 * Writes the segment of a packed file to `into`, which has its length. Rejects with SegmentDamaged where a piece is not what
 * was written; what `into` holds then says nothing. O(bytes).
 */
export async function unpackSegment(file: Uint8Array, table: PackedTable, into: Uint8Array): Promise<void> {
  const unpacking = new SegmentUnpacker(file, table, into);
  await unpacking.unpackRest();
  await unpacking.unpack();
}

/** A segment on its way out of its file: first `plain`, then, when it is wanted, `words`. */
export class SegmentUnpacker {
  #file: Uint8Array;
  readonly #into: Uint8Array;
  readonly #pieces: readonly PackedPiece[];
  /** Pieces of words that are not in their place, the first one last. */
  #left: number[] = [];
  /** Those that the pool has at the moment. */
  readonly #taken = new Set<number>();
  /** Where sections of words begin that follow from others, until they have been made. */
  #derived: ReadonlySet<number> = new Set();
  #words: Promise<void> | undefined;
  #stopped = false;

  /** `left` where everything else is there already: what `plainNow` has left. */
  constructor(file: Uint8Array, { pieces }: PackedTable, into: Uint8Array, left?: readonly number[]) {
    this.#file = file;
    this.#into = into;
    this.#pieces = pieces;
    if (left === undefined) return;
    this.#leave(left);
    this.#forget();
  }

  /** True when the words are there, too. */
  get isDone(): boolean {
    return this.#left.length === 0 && this.#taken.size === 0 && this.#derived.size === 0;
  }

  /** Everything but the words, which are checked. Once, and first. Rejects with SegmentDamaged. */
  async unpackRest(): Promise<void> {
    const pieces = this.#pieces;
    this.#fillGaps();
    const words = this.#wordPieces();
    const left: number[] = [];
    const derived = new Set<number>();
    let next = 0;
    await together(async () => {
      if (next === pieces.length) return false;
      const number = next++;
      const { start, packing } = pieces[number]!;
      if (words.has(start)) {
        this.#stored(number);
        left.push(number);
      } else if (packing === ENCODING.derived) derived.add(start);
      else this.#put(number, await inflated(pieces[number]!, this.#stored(number)));
      return true;
    });
    if (derived.size > 0) await runSliced(this.#make(derived));
    this.#leave(left);
    this.#forget();
  }

  /** These pieces are to come with the words. */
  #leave(left: readonly number[]): void {
    const isDerived = (number: number): boolean => this.#pieces[number]!.packing === ENCODING.derived;
    this.#left = left.filter((number) => !isDerived(number)).reverse();
    this.#derived = new Set(left.filter(isDerived).map((number) => this.#pieces[number]!.start));
  }

  /** The same at once, for a thread that has nothing else to do. Tells which pieces are left. Throws SegmentDamaged. */
  unpackRestNow(): number[] {
    this.#fillGaps();
    const words = this.#wordPieces();
    const left: number[] = [];
    const derived = new Set<number>();
    for (const [number, { start, packing }] of this.#pieces.entries()) {
      if (words.has(start)) {
        this.#stored(number);
        left.push(number);
      } else if (packing === ENCODING.derived) derived.add(start);
      else this.#putNow(number);
    }
    for (const _ of this.#make(derived));
    this.#leave(left);
    return left;
  }

  /**
   * The words, beside whatever else goes on; any number may wait for them. Rejects with SegmentDamaged. When it was stopped it
   * resolves all the same: `isDone` tells.
   */
  unpack(): Promise<void> {
    this.#words ??= this.isDone ? Promise.resolve() : this.#unpackWords();
    return this.#words;
  }

  /** The words at once, for who cannot wait. Throws SegmentDamaged. */
  unpackNow(): void {
    for (const number of [...this.#taken, ...this.#left]) this.#putNow(number);
    this.#taken.clear();
    this.#left = [];
    for (const _ of this.#make(this.#derived));
    this.#derived = new Set();
    this.#forget();
  }

  /** Nothing is written from now on but by `wordsNow`: the place is about to be given to others. */
  stop(): void {
    this.#stopped = true;
  }

  #fillGaps(): void {
    let end = 0;
    for (const { start, length } of this.#pieces) {
      this.#into.fill(0, end, start);
      end = start + length;
    }
    this.#into.fill(0, end);
  }

  async #unpackWords(): Promise<void> {
    await together(async () => {
      const number = this.#stopped ? undefined : this.#left.pop();
      if (number === undefined) return false;
      this.#taken.add(number);
      const bytes = await inflated(this.#pieces[number]!, this.#stored(number));
      // Unless somebody who could not wait was faster.
      if (!this.#stopped && this.#taken.delete(number)) this.#put(number, bytes);
      return true;
    });
    // Nobody who could not wait has made them meanwhile, if there are any.
    await runSliced(this.#make(this.#derived), () => this.#stopped || this.#derived.size === 0);
    if (!this.#stopped) this.#derived = new Set();
    this.#forget();
  }

  /** The sections that begin at these places, once all others are there. */
  *#make(derived: ReadonlySet<number>): Generator<void, void> {
    if (derived.size === 0) return;
    try {
      yield* deriveSections(new SectionTable(this.#into), derived);
    } catch (error) {
      if (error instanceof RangeError) throw new SegmentDamagedError(error.message);
      throw error;
    }
  }

  /** Where pieces of words begin; none where that cannot be told. What tells it is in its place then. */
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
      // Whoever opens the segment will say what is wrong with it.
      if (error instanceof SegmentDamagedError || error instanceof RangeError) return none;
      throw error;
    }
  }

  /** The pieces of a stretch of the segment. */
  #putRange(from: number, to: number): void {
    for (const [number, { start, length }] of this.#pieces.entries())
      if (start < to && start + length > from) this.#putNow(number);
  }

  #putNow(number: number): void {
    this.#put(number, inflatedNow(this.#pieces[number]!, this.#stored(number)));
  }

  /** The bytes of a piece as they are in the file. Throws SegmentDamaged where they are not what was written. */
  #stored(number: number): Uint8Array {
    const { at, stored, crc } = this.#pieces[number]!;
    const bytes = this.#file.subarray(at, at + stored);
    if (crc32(bytes) !== crc)
      throw new SegmentDamagedError(`checksum of piece ${number} at ${at} does not match`);
    return bytes;
  }

  #put(number: number, restored: Uint8Array | undefined): void {
    const { packing, start, length, at } = this.#pieces[number]!;
    if (restored?.length !== length)
      throw new SegmentDamagedError(`piece ${number} at ${at} is not of ${length} bytes`);
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

  /** The file, once nothing of it is needed. */
  #forget(): void {
    if (this.isDone) this.#file = NOTHING;
  }
}

/**
 * Takes steps, several under way at a time, until one says that there are no more, or fails. All are waited for, whatever
 * they end in: nobody may write to the segment once the caller has it back.
 */
async function together(step: () => Promise<boolean>): Promise<void> {
  let damage: unknown;
  const work = async (): Promise<void> => {
    while (damage === undefined && (await step()));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error) => (damage ??= error))));
  if (damage !== undefined) throw damage;
}

/** What was compressed; undefined when it is no zstd, or longer than it says. */
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

/** One step: by default it comes back every 16 KiB. */
function boundsOf({ length }: PackedPiece): Bounds {
  return { chunkSize: Math.max(64, length), maxOutputLength: Math.max(1, length) };
}
