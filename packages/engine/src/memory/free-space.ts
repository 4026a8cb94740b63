// Free runs of an address space, best fit: a two-level segregated fit (TLSF, Masmano et al. 2004). Free
// runs lie in bins by size, eight per power of two; neighbours are joined when freed. It knows addresses
// only. All sizes are multiples of 64.

/** The unit of all sizes and addresses: a cache line, and the alignment of SIMD loads. */
export const ALIGNMENT = 64;

const STEPS = 8;
/** Runs of up to 2^27 units (8 GiB). */
const BINS = 28 * STEPS;
/** Runs of the lowest fitting bin that are tried before a larger run is cut. */
const TRIES = 16;

/** Free runs of an address space. All operations O(1) but for the scan of the bins. */
export class FreeSpace {
  readonly #bins: Set<number>[] = Array.from({ length: BINS }, () => new Set());
  /** Start of each free run to its length, and end to start. */
  readonly #lengths = new Map<number, number>();
  readonly #starts = new Map<number, number>();

  /** Adds a run that is free from now on. REQUIRES: no part of it is free already. */
  add(start: number, length: number): void {
    let from = start;
    let to = start + length;
    const before = this.#starts.get(from);
    if (before !== undefined) {
      this.#drop(before);
      from = before;
    }
    const after = this.#lengths.get(to);
    if (after !== undefined) {
      this.#drop(to);
      to += after;
    }
    this.#put(from, to - from);
  }

  /** Takes `length` addresses, or returns -1 when no run is long enough. */
  take(length: number): number {
    return this.#cut(this.#fit(length), length);
  }

  /** As `take`, among the runs that begin in [from, to). O(runs): for rare calls. */
  takeWithin(length: number, from: number, to: number): number {
    for (const [start, found] of this.#lengths) {
      if (start >= from && start < to && found >= length) return this.#cut(start, length);
    }
    return -1;
  }

  #cut(start: number, length: number): number {
    if (start < 0) return -1;
    const found = this.#lengths.get(start)!;
    this.#drop(start);
    if (found > length) this.#put(start + length, found - length);
    return start;
  }

  /** Length of the free run that ends at `end`, 0 when there is none. */
  lengthBefore(end: number): number {
    const start = this.#starts.get(end);
    return start === undefined ? 0 : end - start;
  }

  /** All free runs, in no order. For tests. */
  runs(): [start: number, length: number][] {
    return [...this.#lengths];
  }

  /**
   * A run of the bin that `length` itself falls in may be too short, any run of a higher bin is long enough.
   */
  #fit(length: number): number {
    const bin = binOf(length);
    let tries = 0;
    for (const start of this.#bins[bin]!) {
      if (this.#lengths.get(start)! >= length) return start;
      if (++tries === TRIES) break;
    }
    for (let above = bin + 1; above < BINS; above++) for (const start of this.#bins[above]!) return start;
    if (tries === TRIES)
      for (const start of this.#bins[bin]!) if (this.#lengths.get(start)! >= length) return start;
    return -1;
  }

  #put(start: number, length: number): void {
    this.#bins[binOf(length)]!.add(start);
    this.#lengths.set(start, length);
    this.#starts.set(start + length, start);
  }

  #drop(start: number): void {
    const length = this.#lengths.get(start)!;
    this.#bins[binOf(length)]!.delete(start);
    this.#lengths.delete(start);
    this.#starts.delete(start + length);
  }
}

/** Floor of eight times the binary logarithm of the length in units (linear within each power of two). */
function binOf(length: number): number {
  const units = length / ALIGNMENT;
  const power = 31 - Math.clz32(units);
  const step = power < 3 ? units - (1 << power) : (units - 2 ** power) / 2 ** (power - 3);
  return power * STEPS + Math.floor(step);
}
