// What search kernels need in an arena beside the segments: records that say where the sections of a field
// lie, copies of tables and bitmaps that live elsewhere, scratch, and records of queries. Each block is freed
// when the object it belongs to is collected.

import {
  FIELD_BLOCK_MAX,
  FIELD_BYTES,
  FIELD_CODES,
  FIELD_DENSE,
  FIELD_EXCEPTION_COUNT,
  FIELD_EXCEPTIONS,
  FIELD_FREQS,
  FIELD_GROUPS,
  FIELD_LOWS,
  FIELD_NORMS,
  FIELD_POSITION_HALVES,
  FIELD_POSITION_OFFSETS,
  FIELD_POSITION_RESIDUES,
  FIELD_POSITIONS,
  FIELD_POSITIONS_END,
  SCRATCH_BYTES,
} from '../../kernels/assembly/search/layout.ts';
import { KernelModule } from '../../kernels/kernel-module.ts';
import { type Arena, arenaOf } from '../../memory/arena.ts';
import type { Block } from '../../memory/memory.ts';
import type { WasmFunction } from '../../memory/wasm.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { PostingsView } from '../../segment/postings/postings-view.ts';

type Bytes = Uint8Array | Uint16Array | Uint32Array | Float32Array;

const modules = new KernelModule('search');
const byArena = new WeakMap<Arena, KernelRecords | null>();
/** Frees a block when the object it belongs to is collected. */
const registry = new FinalizationRegistry<{ records: KernelRecords; block: Block }>(({ records, block }) =>
  records.arena.free(block),
);

let enabled = true;

/** Turns kernels off and on again, for tests and benches that compare them with their twins in TypeScript. */
export function switchKernels(on: boolean): void {
  enabled = on;
}

export function areKernelsOn(): boolean {
  return enabled;
}

/** The records of the arena that a view lies in; undefined where the twins must do the work. */
function recordsOf(buffer: ArrayBufferLike): KernelRecords | undefined {
  const arena = arenaOf(buffer);
  if (arena === undefined) return undefined;
  let records = byArena.get(arena);
  if (records === undefined) byArena.set(arena, (records = createRecords(arena)));
  return records ?? undefined;
}

const fields = new WeakMap<PostingsView, FieldAddress | null>();

/** The record of a field's postings and norms. Memoized. */
export function fieldAddress(
  postings: PostingsView,
  norms: Uint8Array | undefined,
): FieldAddress | undefined {
  let field = fields.get(postings);
  if (field === undefined) {
    field = recordsOf(postings.lo.buffer)?.addField(postings, norms) ?? null;
    fields.set(postings, field);
  }
  return field ?? undefined;
}

function createRecords(arena: Arena): KernelRecords | null {
  const functions = modules.functionsFor(arena);
  const scratch = functions && arena.alloc(SCRATCH_BYTES);
  if (functions === undefined || scratch === undefined) return null;
  new Uint8Array(scratch.buffer, scratch.ptr, SCRATCH_BYTES).fill(0);
  return new KernelRecords(arena, functions, scratch);
}

/** The record of a field in an arena. */
interface FieldAddress {
  readonly records: KernelRecords;
  /** Address of the record. */
  readonly ptr: number;
}

/** A block to write in, with views of all kinds. */
export class KernelRecord {
  readonly block: Block;
  readonly ptr: number;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** Of a reserved record: whether a search uses it, and whether it was evicted. */
  isBusy = false;
  isEvicted = false;

  constructor(block: Block) {
    this.block = block;
    this.ptr = block.ptr;
    this.u32 = new Uint32Array(block.buffer, block.ptr, block.bytes / 4);
    this.f32 = new Float32Array(block.buffer, block.ptr, block.bytes / 4);
    this.f64 = new Float64Array(block.buffer, block.ptr, block.bytes / 8);
  }
}

/** Free records that are kept for the next search; larger ones are freed. */
const MAX_FREE = 4;
const USUAL_BYTES = 16_384;
/** Bytes of records reserved for repeated queries; the oldest are evicted. */
const MAX_RESERVED_BYTES = 1_048_576;

/**
 * The bitmap of a leaf's living documents in an arena: one copy per leaf, of the snapshot that used it last.
 */
export interface LiveBitmap {
  readonly ptr: number;
  /** The block of the copy; undefined where the bitmap itself lies in the arena. */
  readonly block: Block | undefined;
  from: Uint32Array;
}

/** The records of one arena, for kernels on one thread. */
export class KernelRecords {
  readonly arena: Arena;
  readonly run: WasmFunction;
  readonly prepare: WasmFunction;
  readonly scratch: number;
  readonly #copies = new WeakMap<Bytes, Block>();
  readonly #bitmaps = new WeakMap<Leaf, LiveBitmap>();
  readonly #free: KernelRecord[] = [];
  readonly #reserved = new Set<KernelRecord>();
  #reservedBytes = 0;

  constructor(arena: Arena, functions: Readonly<Record<string, WasmFunction>>, scratch: Block) {
    this.arena = arena;
    this.run = functions['run']!;
    this.prepare = functions['prepare']!;
    this.scratch = scratch.ptr;
  }

  /** A record of at least so many bytes, contents undefined; undefined where there is no room. */
  borrow(bytes: number): KernelRecord | undefined {
    if (bytes <= USUAL_BYTES && this.#free.length > 0) return this.#free.pop();
    const block = this.arena.alloc(Math.max(bytes, USUAL_BYTES));
    return block && new KernelRecord(block);
  }

  release(record: KernelRecord): void {
    if (record.block.bytes === USUAL_BYTES && this.#free.length < MAX_FREE) this.#free.push(record);
    else this.arena.free(record.block);
  }

  /**
   * A record of at least so many bytes for a repeated query. It is busy until its owner clears `isBusy`, and
   * `isEvicted` once other queries needed the room.
   */
  reserve(bytes: number): KernelRecord | undefined {
    for (const record of this.#reserved) {
      if (this.#reservedBytes + bytes <= MAX_RESERVED_BYTES) break;
      if (!record.isBusy) this.#evict(record);
    }
    const block = this.#reservedBytes + bytes <= MAX_RESERVED_BYTES ? this.arena.alloc(bytes) : undefined;
    if (block === undefined) return this.borrow(bytes);
    const record = new KernelRecord(block);
    record.isBusy = true;
    this.#reserved.add(record);
    this.#reservedBytes += block.bytes;
    return record;
  }

  #evict(record: KernelRecord): void {
    record.isEvicted = true;
    this.#reserved.delete(record);
    this.#reservedBytes -= record.block.bytes;
    this.arena.free(record.block);
  }

  /**
   * The address of bytes in this arena: their own, or that of a copy that lives as long as they do; -1 where
   * there is no room.
   */
  addressOf(bytes: Bytes): number {
    if (bytes.length === 0) return 0;
    if (arenaOf(bytes.buffer) === this.arena) return bytes.byteOffset;
    let block = this.#copies.get(bytes);
    if (block === undefined) {
      block = this.arena.alloc(bytes.byteLength);
      if (block === undefined) return -1;
      copyInto(block, bytes);
      this.#copies.set(bytes, block);
      registry.register(bytes, { records: this, block });
    }
    return block.ptr;
  }

  /**
   * The bitmap of a leaf's living documents; undefined where there is no room. Call `refreshBitmap` before
   * each use.
   */
  liveBitmap(leaf: Leaf, live: Uint32Array): LiveBitmap | undefined {
    if (arenaOf(live.buffer) === this.arena) return { ptr: live.byteOffset, block: undefined, from: live };
    let bitmap = this.#bitmaps.get(leaf);
    if (bitmap === undefined) {
      const block = this.arena.alloc(live.byteLength);
      if (block === undefined) return undefined;
      bitmap = { ptr: block.ptr, block, from: live };
      copyInto(block, live);
      this.#bitmaps.set(leaf, bitmap);
      registry.register(leaf, { records: this, block });
    }
    this.refreshBitmap(bitmap, live);
    return bitmap;
  }

  /** Copies the bitmap of a snapshot over that of the snapshot that used it last. */
  refreshBitmap(bitmap: LiveBitmap, live: Uint32Array): void {
    if (bitmap.from === live || bitmap.block === undefined) return;
    bitmap.from = live;
    copyInto(bitmap.block, live);
  }

  /** Makes the record of a field's postings; undefined where they do not all lie in this arena. */
  addField(postings: PostingsView, norms: Uint8Array | undefined): FieldAddress | undefined {
    const { arrays, freqs } = postings;
    const sections: [offset: number, bytes: Bytes][] = [
      [FIELD_LOWS, arrays.lows],
      [FIELD_CODES, arrays.codes],
      [FIELD_BLOCK_MAX, arrays.blockMax],
      [FIELD_GROUPS, arrays.groups],
      [FIELD_DENSE, arrays.dense],
      [FIELD_NORMS, norms ?? new Uint8Array(0)],
      [FIELD_EXCEPTIONS, arrays.exceptions],
      [FIELD_POSITIONS, arrays.positionBytes],
      [FIELD_POSITION_OFFSETS, arrays.positionOffsets],
      [FIELD_POSITION_HALVES, arrays.positionHalves],
      [FIELD_POSITION_RESIDUES, arrays.positionResidues],
    ];
    for (const [, bytes] of sections)
      if (bytes.length > 0 && arenaOf(bytes.buffer) !== this.arena) return undefined;
    const table = freqs === undefined ? -1 : this.addressOf(freqs);
    const block = table < 0 ? undefined : this.arena.alloc(FIELD_BYTES);
    if (block === undefined) return undefined;
    const words = new Uint32Array(block.buffer, block.ptr, FIELD_BYTES / 4);
    for (const [offset, bytes] of sections) words[offset / 4] = bytes.length === 0 ? 0 : bytes.byteOffset;
    words[FIELD_FREQS / 4] = table;
    words[FIELD_EXCEPTION_COUNT / 4] = arrays.exceptions.length / 2;
    words[FIELD_POSITIONS_END / 4] = arrays.positionBytes.byteOffset + arrays.positionBytes.length;
    registry.register(postings, { records: this, block });
    return { records: this, ptr: block.ptr };
  }
}

/**
 * Copies bytes into a block and zeroes the rest: blocks are multiples of 64 bytes, and kernels read bitmaps
 * in steps of 16.
 */
function copyInto(block: Block, bytes: Bytes): void {
  const target = new Uint8Array(block.buffer, block.ptr, block.bytes);
  target.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  target.fill(0, bytes.byteLength);
}
