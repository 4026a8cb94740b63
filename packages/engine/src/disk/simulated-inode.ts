// The contents of one file of a simulated disk: what reads see, what is durable, and the changes between the
// two.
//
//   durable   -- writes, truncations since the last sync, in order -->   current
//
// After a power cut each 512-byte sector of each of those writes is there, is not, or is there in part; each
// truncation has happened or not.

const SECTOR = 512;

/** A change that no sync has covered yet. */
type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number };

/** The contents of one file, with or without a name. */
export class SimulatedInode {
  current: Extent = new Extent();
  durable: Extent = new Extent();
  #changes: Change[] = [];

  write(position: number, bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.current.write(position, copy);
    this.#changes.push({ kind: 'write', position, bytes: copy });
  }

  truncate(length: number): void {
    this.current.truncate(length);
    this.#changes.push({ kind: 'truncate', length });
  }

  sync(): void {
    for (const change of this.#changes) {
      if (change.kind === 'write') this.durable.write(change.position, change.bytes);
      else this.durable.truncate(change.length);
    }
    this.#changes = [];
  }

  /**
   * A failed sync: chance decides what got through, and the system considers nothing left to write, as Linux
   * does. Reads still see everything, and no later sync repairs it.
   */
  syncInPart(random: () => number): void {
    this.durable = this.afterCrash(random);
    this.#changes = [];
  }

  /** The contents after a power cut now. */
  afterCrash(random: () => number): Extent {
    const left = this.durable.copy();
    for (const change of this.#changes) {
      if (change.kind === 'truncate') {
        if (random() < 0.5) left.truncate(change.length);
      } else surviveWrite(left, change.position, change.bytes, random);
    }
    return left;
  }
}

/** Applies what a power cut leaves of a write: one in four survives whole, one in four not at all. */
function surviveWrite(extent: Extent, position: number, bytes: Uint8Array, random: () => number): void {
  const luck = random();
  if (luck < 0.25) return;
  if (luck < 0.5) {
    extent.write(position, bytes);
    return;
  }
  // The new length may be known to the file system before the data are.
  if (random() < 0.5) extent.grow(position + bytes.length);
  const end = position + bytes.length;
  for (let start = position; start < end; start = (Math.floor(start / SECTOR) + 1) * SECTOR) {
    const stop = Math.min(end, (Math.floor(start / SECTOR) + 1) * SECTOR);
    const fate = random();
    const kept = fate < 0.45 ? 0 : fate < 0.9 ? stop - start : Math.floor(random() * (stop - start));
    if (kept > 0) extent.write(start, bytes.subarray(start - position, start - position + kept));
  }
}

/** Growable bytes; what was never written is zero. */
class Extent {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  size = 0;

  /** A view of the contents as they are now. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  write(position: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.grow(position + bytes.length);
    this.#bytes.set(bytes, position);
  }

  grow(size: number): void {
    if (size <= this.size) return;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, this.#bytes.length * 2));
      larger.set(this.view());
      this.#bytes = larger;
    }
    this.size = size;
  }

  truncate(length: number): void {
    if (length > this.size) this.grow(length);
    this.#bytes.fill(0, length, this.size);
    this.size = length;
  }

  copy(): Extent {
    const copy = new Extent();
    copy.write(0, this.view());
    copy.grow(this.size);
    return copy;
  }
}
