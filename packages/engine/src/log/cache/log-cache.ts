// The cache of log bytes: slabs in which frames were built, and regions of 16 KiB read back from chunks,
// under one budget. Eviction is second chance (CLOCK). A slab of which hardly anything is alive goes before
// that: otherwise documents that are overwritten again and again would evict those that are overwritten next.
// A document across two regions is joined from both.
//
// - A buffer of which a view was handed out is never written again and never reused, so views stay valid for
// ever.
// - The memory of slabs that nobody has a view of is freed at once: as garbage it would trigger collections of the heap.

import { copyBytes } from '../../memory/copy.ts';
import { releaseBuffers } from '../../memory/release-buffers.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { DamagedRange } from '../stretch/read-stretch.ts';
import { newSlab, type Slab } from './slab.ts';

const REGION = 16_384;
/** With a full budget one miss in so many admits its region: scattered reads must not flush hot regions. */
const ADMIT_EVERY = 8;
/** Spare regions kept: so many at most, and this share of the budget. */
const SPARE_REGIONS = 4;
const SPARE_SHARE = 1 / 4;

/**
 * A slab is dropped when all but one byte in so many is dead. A record counts for so many bytes more than its
 * source.
 */
const DEAD_PART = 8;
const RECORD_BYTES = 32;

/** Throws for bytes that cannot be read from a chunk; `why` names the range of the file. */
type RefuseUnreadable = (chunk: Chunk, offset: number, length: number, why: string) => never;

/** The cache. A region is a slab that was read from a file. */
export class LogCache {
  readonly #budget: number;
  readonly #slabBytes: number;
  readonly #refuse: RefuseUnreadable;
  /** By chunk: slabs by ascending start, and regions by number. */
  readonly #slabs = new Map<number, Slab[]>();
  readonly #regions = new Map<number, (Slab | undefined)[]>();
  /** All slabs and regions, in clock order. */
  #clock: Slab[] = [];
  #hand = 0;
  /** Slabs that cannot be evicted yet. */
  #unsettled: Slab[] = [];
  /** Slabs to drop with the next append: nearly all of their bytes are dead. */
  #dying: Slab[] = [];
  #bytes = 0;
  /** Memory of dropped regions without views. */
  readonly #spareRegions: Uint8Array[] = [];
  readonly #maxSpareRegions: number;
  #misses = 0;

  constructor(budgetBytes: number, slabBytes: number, refuse: RefuseUnreadable) {
    this.#refuse = refuse;
    this.#budget = budgetBytes;
    this.#slabBytes = slabBytes;
    this.#maxSpareRegions = Math.min(SPARE_REGIONS, Math.floor((budgetBytes * SPARE_SHARE) / REGION));
  }

  /** Bytes of all buffers. */
  get bytes(): number {
    return this.#bytes + this.#spareRegions.length * REGION;
  }

  /** A new slab to build frames in. */
  slab(chunk: number, start: number, need: number): Slab {
    const slab = newSlab(chunk, start, need, this.#slabBytes);
    const list = this.#slabs.get(chunk);
    if (list === undefined) this.#slabs.set(chunk, [slab]);
    else list.push(slab);
    this.#unsettled.push(slab);
    this.#add(slab);
    return slab;
  }

  /** A view of the bytes if they are cached, else undefined. */
  find(chunk: number, offset: number, length: number): Uint8Array | undefined {
    const slab = this.slabOf(chunk, offset, length);
    return slab === undefined ? undefined : view(slab, offset, length);
  }

  /**
   * The same, valid within the current turn: the end of an append may free the slab. Does not count as a use:
   * bytes read so briefly are mostly overwritten next.
   */
  peek(chunk: number, offset: number, length: number): Uint8Array | undefined {
    const slab = this.#slabWith(chunk, offset, length);
    return slab?.bytes.subarray(offset - slab.start, offset - slab.start + length);
  }

  /** Copies the bytes to into[at …) if they are cached, else returns false. */
  copy(chunk: number, offset: number, length: number, into: Uint8Array, at: number): boolean {
    const slab = this.#slabWith(chunk, offset, length);
    if (slab === undefined) return false;
    copyFrom(slab, offset, offset + length, into, at);
    return true;
  }

  /** The slab or region with the bytes, if they are cached. Counts as a use, and as a view handed out. */
  slabOf(chunk: number, offset: number, length: number): Slab | undefined {
    const slab = this.#slabWith(chunk, offset, length);
    if (slab !== undefined) slab.isReferenced = slab.hasViews = true;
    return slab;
  }

  #slabWith(chunk: number, offset: number, length: number): Slab | undefined {
    const slabs = this.#slabs.get(chunk);
    let slab = slabs === undefined ? undefined : slabAt(slabs, offset);
    if (slab === undefined || offset + length > slab.end) {
      slab = this.#regions.get(chunk)?.[Math.floor(offset / REGION)];
      if (slab === undefined || offset + length > slab.end) return undefined;
    }
    return slab;
  }

  /** Reads bytes that are not cached; caches their regions if they are admitted. */
  read(chunk: Chunk, offset: number, length: number): Uint8Array {
    const end = offset + length;
    const first = this.#firstRegion(chunk, offset, end, true);
    if (first !== undefined && end <= first.end) return view(first, offset, length);
    const bytes = unpooled(length);
    this.#readFrom(first, chunk, offset, end, bytes, 0);
    return bytes;
  }

  /** The same to into[at …), without allocating. */
  readInto(chunk: Chunk, offset: number, length: number, into: Uint8Array, at: number): void {
    const end = offset + length;
    this.#readFrom(this.#firstRegion(chunk, offset, end, false), chunk, offset, end, into, at);
  }

  /**
   * Copies bytes that begin in a region and end in it or the next; reads them alone if the regions are not
   * cached.
   */
  #readFrom(
    first: Slab | undefined,
    chunk: Chunk,
    offset: number,
    end: number,
    into: Uint8Array,
    at: number,
  ): void {
    if (first !== undefined && end <= first.end) {
      copyFrom(first, offset, end, into, at);
      return;
    }
    // One document in ten crosses a border; read alone, it would be unpacked each time.
    const second = first && this.#region(chunk, first.end / REGION, false);
    if (second === undefined) this.#fill(chunk, offset, into.subarray(at, at + end - offset));
    else {
      copyFrom(first!, offset, first!.end, into, at);
      copyFrom(second, second.start, end, into, at + second.start - offset);
    }
  }

  /** The region in which bytes begin, if they end in it or the next. */
  #firstRegion(chunk: Chunk, offset: number, end: number, hasViews: boolean): Slab | undefined {
    const number = Math.floor(offset / REGION);
    return end > (number + 2) * REGION ? undefined : this.#region(chunk, number, hasViews);
  }

  /**
   * A cached region, or one read now; undefined if it is not admitted, the chunk ends in it, or not all of it
   * can be read.
   */
  #region(chunk: Chunk, number: number, hasViews: boolean): Slab | undefined {
    const regions = this.#regions.get(chunk.number);
    const kept = regions?.[number];
    if (kept !== undefined) return kept;
    const start = number * REGION;
    if (start + REGION > chunk.end || !this.#isAdmitted()) return undefined;
    const bytes = this.#spareRegions.pop() ?? unpooled(REGION);
    const damaged: DamagedRange[] = [];
    if (chunk.file.readSync(bytes, start, damaged) < REGION || damaged.length > 0) {
      this.#spareRegions.push(bytes);
      return undefined;
    }
    const region: Slab = {
      chunk: chunk.number,
      start,
      bytes,
      end: start + REGION,
      isEvictable: true,
      isReferenced: true,
      hasViews: hasViews,
      deadBytes: 0,
    };
    if (regions === undefined) this.#regions.set(chunk.number, sparse(number, region));
    else regions[number] = region;
    this.#add(region);
    return region;
  }

  #fill(chunk: Chunk, offset: number, bytes: Uint8Array): void {
    const damaged: DamagedRange[] = [];
    const count = chunk.file.readSync(bytes, offset, damaged);
    const [first] = damaged;
    if (first !== undefined)
      this.#refuse(chunk, offset, bytes.length, `${first.length} bytes at ${first.place} of the file`);
    if (count < bytes.length)
      this.#refuse(chunk, offset, bytes.length, `it ends at byte ${offset + count} of the chunk`);
  }

  /** Everything before `end` of this chunk is durable: slabs that the layout has left may be evicted now. */
  settle(chunk: number, end: number, current: Slab | undefined): void {
    this.#unsettled = this.#unsettled.filter((slab) => {
      slab.isEvictable =
        slab !== current && (slab.chunk < chunk || (slab.chunk === chunk && slab.end <= end));
      if (slab.isEvictable && isDead(slab)) this.#dying.push(slab);
      return !slab.isEvictable;
    });
    for (const slab of this.#dying) this.#remove(slab);
    this.#dying.length = 0;
    this.#evict();
  }

  /** Notes a dead source: its slab is dropped with the next append once hardly anything in it is alive. */
  markDead(chunk: number, offset: number, length: number): void {
    const slabs = this.#slabs.get(chunk);
    const slab = slabs && slabAt(slabs, offset);
    if (slab === undefined || offset >= slab.end) return;
    const before = isDead(slab);
    slab.deadBytes += length + RECORD_BYTES;
    if (slab.isEvictable && !before && isDead(slab)) this.#dying.push(slab);
  }

  /** Frames behind `end` of this chunk and in later chunks will not be written. */
  reset(chunk: number, end: number): void {
    for (const slab of this.#unsettled) {
      const limit = slab.chunk === chunk ? end : slab.chunk < chunk ? slab.end : slab.start;
      slab.end = Math.min(slab.end, limit);
      // A frame builder may still hold it.
      slab.isEvictable = slab.hasViews = true;
      if (slab.end <= slab.start) this.#remove(slab);
    }
    this.#unsettled = [];
  }

  /** Drops a chunk. Views that were handed out stay valid. */
  drop(chunk: number): void {
    for (const slab of this.#slabs.get(chunk) ?? []) this.#release(slab);
    for (const region of this.#regions.get(chunk) ?? []) if (region !== undefined) this.#release(region);
    this.#slabs.delete(chunk);
    this.#regions.delete(chunk);
  }

  #isAdmitted(): boolean {
    if (this.bytes + REGION <= this.#budget) return true;
    return REGION <= this.#budget && ++this.#misses % ADMIT_EVERY === 0;
  }

  #add(slab: Slab): void {
    this.#clock.push(slab);
    this.#bytes += slab.bytes.length;
    this.#evict();
  }

  /** Two rounds at most: after one, no slab is referenced. Slabs that are not durable stay. */
  #evict(): void {
    for (let steps = this.#clock.length * 2; this.bytes > this.#budget && steps > 0; steps--) {
      if (this.#hand >= this.#clock.length) this.#hand = 0;
      const slab = this.#clock[this.#hand]!;
      if (!slab.isEvictable || slab.isReferenced) {
        slab.isReferenced = false;
        this.#hand++;
      } else this.#remove(slab, this.#hand);
    }
  }

  #remove(slab: Slab, at: number = this.#clock.indexOf(slab)): void {
    const slabs = this.#slabs.get(slab.chunk);
    const place = slabs?.indexOf(slab) ?? -1;
    if (place >= 0) slabs!.splice(place, 1);
    const regions = this.#regions.get(slab.chunk);
    const number = Math.floor(slab.start / REGION);
    if (regions?.[number] === slab) regions[number] = undefined;
    this.#release(slab, at);
  }

  #release(slab: Slab, at: number = this.#clock.indexOf(slab)): void {
    if (at < 0) return;
    // The last one takes its place: the clock needs no order.
    this.#clock[at] = this.#clock.at(-1)!;
    this.#clock.pop();
    this.#bytes -= slab.bytes.length;
    if (!slab.isEvictable || slab.hasViews) return;
    if (slab.bytes.length !== REGION) releaseBuffers([slab.bytes]);
    else if (this.#spareRegions.length < this.#maxSpareRegions) this.#spareRegions.push(slab.bytes);
  }
}

function sparse(number: number, region: Slab): (Slab | undefined)[] {
  const regions: (Slab | undefined)[] = [];
  regions[number] = region;
  return regions;
}

function isDead({ deadBytes, start, end }: Slab): boolean {
  return deadBytes * DEAD_PART >= (end - start) * (DEAD_PART - 1);
}

/** The last slab that begins at or before an offset. */
function slabAt(slabs: readonly Slab[], offset: number): Slab | undefined {
  let low = 0;
  let high = slabs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slabs[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return slabs[low - 1];
}

function view(slab: Slab, offset: number, length: number): Uint8Array {
  slab.isReferenced = slab.hasViews = true;
  return slab.bytes.subarray(offset - slab.start, offset - slab.start + length);
}

function copyFrom(slab: Slab, offset: number, end: number, into: Uint8Array, at: number): void {
  slab.isReferenced = true;
  copyBytes(slab.bytes, offset - slab.start, end - slab.start, into, at);
}

/** Not from the buffer pool of Node, which is shared and written again. */
function unpooled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
