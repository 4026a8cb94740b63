// Which bytes of the log are in memory already? The slabs in which frames were built, and regions of 16 KiB read back
// from chunks, together under one budget. What is over it goes by second chance (CLOCK), and a slab of which nearly all was
// written over goes before that: what is written over and over would else push out what is written over next. A buffer of
// which a view was handed out is never written again and never reused, so the view stays as it is.

import { copyBytes } from '../../memory/copy.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { newSlab, type Slab } from './slab.ts';
import { SpareSlabs } from './spare-slabs.ts';

const REGION = 16_384;
/** When the budget is spent, one miss in so many brings its region in: reads all over the log cannot flush what is hot. */
const ADMIT_EVERY = 8;
/** Most bytes that are kept for slabs to come, a chunk that is gone, and their part of the budget. */
const SPARE_BYTES = 64 << 20;
const SPARE_SHARE = 1 / 4;

/** Regions whose memory is kept for the next ones, at most. */
const SPARE_REGIONS = 4;

/** A slab is forgotten when all but one byte in so many is dead; of a record that is so much more than its source. */
const LIVE_SHARE = 8;
const RECORD_BYTES = 32;

/** A run of a chunk in memory. A region is a slab that was read. */
export class LogCache {
  readonly #budget: number;
  readonly #slabBytes: number;
  /** By chunk: slabs by ascending start, and regions by number. */
  readonly #slabs = new Map<number, Slab[]>();
  readonly #regions = new Map<number, (Slab | undefined)[]>();
  /** All of both, in the order of the clock. */
  #clock: Slab[] = [];
  #hand = 0;
  /** Slabs that are not done. */
  #unsettled: Slab[] = [];
  /** Slabs that are nearly all dead once what is on its way is durable. */
  #dying: Slab[] = [];
  #bytes = 0;
  readonly #spares: SpareSlabs;
  /** Memory of regions that nobody was given a view of. */
  readonly #spareRegions: Uint8Array[] = [];
  readonly #mostSpareRegions: number;
  #misses = 0;

  constructor(budgetBytes: number, slabBytes: number) {
    this.#budget = budgetBytes;
    this.#slabBytes = slabBytes;
    this.#spares = new SpareSlabs(Math.min(SPARE_BYTES, budgetBytes * SPARE_SHARE));
    this.#mostSpareRegions = Math.min(SPARE_REGIONS, Math.floor((budgetBytes * SPARE_SHARE) / REGION));
  }

  /** Bytes of all buffers. */
  get bytes(): number {
    return this.#bytes + this.#spares.bytes + this.#spareRegions.length * REGION;
  }

  /** A slab for frames to be built in. */
  slab(chunk: number, start: number, need: number): Slab {
    const slab = newSlab(chunk, start, need, this.#slabBytes, this.#spares);
    const list = this.#slabs.get(chunk);
    if (list === undefined) this.#slabs.set(chunk, [slab]);
    else list.push(slab);
    this.#unsettled.push(slab);
    this.#add(slab);
    return slab;
  }

  /** The bytes if they are here, else undefined. */
  find(chunk: number, offset: number, length: number): Uint8Array | undefined {
    const slab = this.slabOf(chunk, offset, length);
    return slab === undefined ? undefined : view(slab, offset, length);
  }

  /** The same, good until a frame is added to: no use, since what is looked at so briefly is written over as a rule. */
  peek(chunk: number, offset: number, length: number): Uint8Array | undefined {
    const slab = this.#holder(chunk, offset, length);
    return slab?.bytes.subarray(offset - slab.start, offset - slab.start + length);
  }

  /** Copies the bytes to into[at …) if they are here, else false. */
  copy(chunk: number, offset: number, length: number, into: Uint8Array, at: number): boolean {
    const slab = this.#holder(chunk, offset, length);
    if (slab === undefined) return false;
    copyFrom(slab, offset, offset + length, into, at);
    return true;
  }

  /** What has the bytes, if they are here. Counts as a use of it. */
  slabOf(chunk: number, offset: number, length: number): Slab | undefined {
    const slab = this.#holder(chunk, offset, length);
    if (slab !== undefined) slab.isReferenced = slab.hasViews = true;
    return slab;
  }

  #holder(chunk: number, offset: number, length: number): Slab | undefined {
    const slabs = this.#slabs.get(chunk);
    let slab = slabs === undefined ? undefined : slabAt(slabs, offset);
    if (slab === undefined || offset + length > slab.end) {
      slab = this.#regions.get(chunk)?.[Math.floor(offset / REGION)];
      if (slab === undefined || offset + length > slab.end) return undefined;
    }
    return slab;
  }

  /** Reads bytes that are not here, and keeps the regions that they lie in when that seems worth it. */
  read(chunk: Chunk, offset: number, length: number): Uint8Array {
    const end = offset + length;
    const first = this.#firstOf(chunk, offset, end, true);
    if (first !== undefined && end <= first.end) return view(first, offset, length);
    const bytes = unpooled(length);
    this.#readFrom(first, chunk, offset, end, bytes, 0);
    return bytes;
  }

  /** The same to into[at …): for who looks at them no longer than that no memory is made. */
  readInto(chunk: Chunk, offset: number, length: number, into: Uint8Array, at: number): void {
    const end = offset + length;
    this.#readFrom(this.#firstOf(chunk, offset, end, false), chunk, offset, end, into, at);
  }

  /** Bytes that begin in a region and end in it or the next; read for themselves where these are not kept. */
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
    // One document in ten lies across a border: read for itself, it would be unpacked each time.
    const second = first && this.#region(chunk, first.end / REGION, false);
    if (second === undefined) fill(chunk, offset, into.subarray(at, at + end - offset));
    else {
      copyFrom(first!, offset, first!.end, into, at);
      copyFrom(second, second.start, end, into, at + second.start - offset);
    }
  }

  /** The region in which bytes begin, where they end in the next at the latest. */
  #firstOf(chunk: Chunk, offset: number, end: number, isShown: boolean): Slab | undefined {
    const number = Math.floor(offset / REGION);
    return end > (number + 2) * REGION ? undefined : this.#region(chunk, number, isShown);
  }

  /** A region that is here, or is read and kept; undefined where that is not worth it, or the chunk ends in it. */
  #region(chunk: Chunk, number: number, isShown: boolean): Slab | undefined {
    const regions = this.#regions.get(chunk.number);
    const kept = regions?.[number];
    if (kept !== undefined) return kept;
    const start = number * REGION;
    if (start + REGION > chunk.end || !this.#isAdmitted()) return undefined;
    const bytes = this.#spareRegions.pop() ?? unpooled(REGION);
    fill(chunk, start, bytes);
    const region: Slab = {
      chunk: chunk.number,
      start,
      bytes,
      end: start + REGION,
      isEvictable: true,
      isReferenced: true,
      hasViews: isShown,
      deadBytes: 0,
    };
    if (regions === undefined) this.#regions.set(chunk.number, sparse(number, region));
    else regions[number] = region;
    this.#add(region);
    return region;
  }

  /** Everything before `end` of this chunk is durable: slabs that the layout has left may be forgotten now. */
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

  /** A source was written over, or is about to be: its slab may be forgotten with the next append, once hardly anything of it is left. */
  markDead(chunk: number, offset: number, length: number): void {
    const slabs = this.#slabs.get(chunk);
    const slab = slabs && slabAt(slabs, offset);
    if (slab === undefined || offset >= slab.end) return;
    const before = isDead(slab);
    slab.deadBytes += length + RECORD_BYTES;
    if (slab.isEvictable && !before && isDead(slab)) this.#dying.push(slab);
  }

  /** Frames behind `end` of this chunk, and of later chunks, will not be written. */
  reset(chunk: number, end: number): void {
    for (const slab of this.#unsettled) {
      const limit = slab.chunk === chunk ? end : slab.chunk < chunk ? slab.end : slab.start;
      slab.end = Math.min(slab.end, limit);
      // Whoever was building a frame here has it still.
      slab.isEvictable = slab.hasViews = true;
      if (slab.end <= slab.start) this.#remove(slab);
    }
    this.#unsettled = [];
  }

  /** Forgets a chunk. Views that were handed out stay. */
  drop(chunk: number): void {
    for (const slab of this.#slabs.get(chunk) ?? []) this.#forget(slab);
    for (const region of this.#regions.get(chunk) ?? []) if (region !== undefined) this.#forget(region);
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

  /** Two rounds at most: after one all are untouched; what is not done stays. */
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
    this.#forget(slab, at);
  }

  #forget(slab: Slab, at: number = this.#clock.indexOf(slab)): void {
    if (at < 0) return;
    // The last one takes its place: the order of a clock need not be kept.
    this.#clock[at] = this.#clock.at(-1)!;
    this.#clock.pop();
    this.#bytes -= slab.bytes.length;
    if (!slab.isEvictable || slab.hasViews) return;
    if (slab.bytes.length !== REGION) this.#spares.put(slab.bytes);
    else if (this.#spareRegions.length < this.#mostSpareRegions) this.#spareRegions.push(slab.bytes);
  }
}

function sparse(number: number, region: Slab): (Slab | undefined)[] {
  const regions: (Slab | undefined)[] = [];
  regions[number] = region;
  return regions;
}

function isDead({ deadBytes, start, end }: Slab): boolean {
  return deadBytes * LIVE_SHARE >= (end - start) * (LIVE_SHARE - 1);
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

/** Not from Node's pool of buffers, which are written again. */
function unpooled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function fill(chunk: Chunk, offset: number, bytes: Uint8Array): void {
  const count = chunk.file.readSync(bytes, offset);
  if (count < bytes.length)
    throw new Error(
      `${chunk.file.name} ends at byte ${offset + count}, inside of what was asked: ${bytes.length} bytes at ${offset}`,
    );
}
