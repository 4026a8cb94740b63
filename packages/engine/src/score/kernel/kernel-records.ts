// What do kernels need beside the segments in an arena? Records that say where the sections of a field lie, copies of
// tables and bitmaps that live elsewhere, scratch. All of it goes when what it belongs to is collected.

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
const shelves = new WeakMap<Arena, Shelf | null>();
/** Frees a block when what it belongs to is gone. */
const registry = new FinalizationRegistry<{ shelf: Shelf; block: Block }>(({ shelf, block }) =>
  shelf.arena.free(block),
);

let enabled = true;

/** Turns kernels off and on again, for tests and benches that compare them with their twins. */
export function switchKernels(on: boolean): void {
  enabled = on;
}

export function kernelsAreOn(): boolean {
  return enabled;
}

/** The shelf of the arena that a view lies in; undefined where the twins have to do the work. */
function shelfOf(buffer: ArrayBufferLike): Shelf | undefined {
  const arena = arenaOf(buffer);
  if (arena === undefined) return undefined;
  let shelf = shelves.get(arena);
  if (shelf === undefined) shelves.set(arena, (shelf = makeShelf(arena)));
  return shelf ?? undefined;
}

const places = new WeakMap<PostingsView, FieldPlace | null>();

/** Where the postings of a field lie, with the norms of their documents. O(1) once known. */
export function placeOf(postings: PostingsView, norms: Uint8Array | undefined): FieldPlace | undefined {
  let place = places.get(postings);
  if (place === undefined) {
    place = shelfOf(postings.lo.buffer)?.field(postings, norms) ?? null;
    places.set(postings, place);
  }
  return place ?? undefined;
}

function makeShelf(arena: Arena): Shelf | null {
  const functions = modules.functionsFor(arena);
  const scratch = functions && arena.alloc(SCRATCH_BYTES);
  if (functions === undefined || scratch === undefined) return null;
  new Uint8Array(scratch.buffer, scratch.ptr, SCRATCH_BYTES).fill(0);
  return new Shelf(arena, functions, scratch);
}

/** Where the postings of a field lie for kernels. */
export interface FieldPlace {
  readonly shelf: Shelf;
  /** Of the record. */
  readonly ptr: number;
}

/** A block to write in, with views of all kinds. */
export class KernelRecord {
  readonly block: Block;
  readonly ptr: number;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** Of one that is kept: whether a search has it, and whether it had to go. */
  busy = false;
  gone = false;

  constructor(block: Block) {
    this.block = block;
    this.ptr = block.ptr;
    this.u32 = new Uint32Array(block.buffer, block.ptr, block.bytes / 4);
    this.f32 = new Float32Array(block.buffer, block.ptr, block.bytes / 4);
    this.f64 = new Float64Array(block.buffer, block.ptr, block.bytes / 8);
  }
}

/** Records that wait to be used again; larger ones are freed. */
const MOST_FREE = 4;
const USUAL_BYTES = 16_384;
/** Bytes of records that are kept with their queries; the oldest go. */
const MOST_KEPT_BYTES = 1_048_576;

/** A bitmap of what lives in a leaf, as it was copied last. */
export interface Living {
  readonly ptr: number;
  /** Where it is a copy. */
  readonly block: Block | undefined;
  from: Uint32Array;
}

/** What one arena holds for kernels, on one thread. */
export class Shelf {
  readonly arena: Arena;
  readonly run: WasmFunction;
  readonly prepare: WasmFunction;
  readonly scratch: number;
  readonly #copies = new WeakMap<Bytes, Block>();
  readonly #living = new WeakMap<Leaf, Living>();
  readonly #free: KernelRecord[] = [];
  readonly #kept = new Set<KernelRecord>();
  #keptBytes = 0;

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

  giveBack(record: KernelRecord): void {
    if (record.block.bytes === USUAL_BYTES && this.#free.length < MOST_FREE) this.#free.push(record);
    else this.arena.free(record.block);
  }

  /**
   * A record of at least so many bytes for a query that comes again, busy: who has it says when it is not. It is `gone`
   * when others needed the room.
   */
  keep(bytes: number): KernelRecord | undefined {
    for (const record of this.#kept) {
      if (this.#keptBytes + bytes <= MOST_KEPT_BYTES) break;
      if (!record.busy) this.#forget(record);
    }
    const block = this.#keptBytes + bytes <= MOST_KEPT_BYTES ? this.arena.alloc(bytes) : undefined;
    if (block === undefined) return this.borrow(bytes);
    const record = new KernelRecord(block);
    record.busy = true;
    this.#kept.add(record);
    this.#keptBytes += block.bytes;
    return record;
  }

  #forget(record: KernelRecord): void {
    record.gone = true;
    this.#kept.delete(record);
    this.#keptBytes -= record.block.bytes;
    this.arena.free(record.block);
  }

  /** Where bytes lie in this arena: themselves, or a copy that is kept as long as they are; -1 where there is no room. */
  place(bytes: Bytes): number {
    if (bytes.length === 0) return 0;
    if (arenaOf(bytes.buffer) === this.arena) return bytes.byteOffset;
    let block = this.#copies.get(bytes);
    if (block === undefined) {
      block = this.arena.alloc(bytes.byteLength);
      if (block === undefined) return -1;
      copyInto(block, bytes);
      this.#copies.set(bytes, block);
      registry.register(bytes, { shelf: this, block });
    }
    return block.ptr;
  }

  /** The bitmap of a leaf's living documents; undefined where there is no room. One copy a leaf: `renew` it before use. */
  living(leaf: Leaf, live: Uint32Array): Living | undefined {
    if (arenaOf(live.buffer) === this.arena) return { ptr: live.byteOffset, block: undefined, from: live };
    let living = this.#living.get(leaf);
    if (living === undefined) {
      const block = this.arena.alloc(live.byteLength);
      if (block === undefined) return undefined;
      living = { ptr: block.ptr, block, from: live };
      copyInto(block, live);
      this.#living.set(leaf, living);
      registry.register(leaf, { shelf: this, block });
    }
    this.renew(living, live);
    return living;
  }

  /** Another snapshot's bitmap takes the place of the one that was copied last. */
  renew(living: Living, live: Uint32Array): void {
    if (living.from === live || living.block === undefined) return;
    living.from = live;
    copyInto(living.block, live);
  }

  /** A record of a field's postings; undefined where they do not lie in this arena as a whole. */
  field(postings: PostingsView, norms: Uint8Array | undefined): FieldPlace | undefined {
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
    const table = freqs === undefined ? -1 : this.place(freqs);
    const block = table < 0 ? undefined : this.arena.alloc(FIELD_BYTES);
    if (block === undefined) return undefined;
    const words = new Uint32Array(block.buffer, block.ptr, FIELD_BYTES / 4);
    for (const [offset, bytes] of sections) words[offset / 4] = bytes.length === 0 ? 0 : bytes.byteOffset;
    words[FIELD_FREQS / 4] = table;
    words[FIELD_EXCEPTION_COUNT / 4] = arrays.exceptions.length / 2;
    words[FIELD_POSITIONS_END / 4] = arrays.positionBytes.byteOffset + arrays.positionBytes.length;
    registry.register(postings, { shelf: this, block });
    return { shelf: this, ptr: block.ptr };
  }
}

/** Blocks are multiples of 64 bytes, so that kernels may read bitmaps in steps of 16: what is behind is 0. */
function copyInto(block: Block, bytes: Bytes): void {
  const target = new Uint8Array(block.buffer, block.ptr, block.bytes);
  target.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  target.fill(0, bytes.byteLength);
}
