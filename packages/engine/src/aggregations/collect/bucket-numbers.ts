// Numbers of buckets by the bucket above and the ordinal of a value: looked up in an array of all pairs where there are few, so
// that the table of buckets is asked once for each pair and not for each document.

/** Stands for the number of a pair without a bucket. Below 2^30, so that V8 keeps it as a small integer. */
export const NO_NUMBER = 0x3fff_fffe;

/** Entries of the array of pairs, 4 bytes each. */
const MAX_PAIRS = 4_194_304;

/** Rows of a bucket above and an ordinal. */
interface NumberedRows {
  readonly buckets: Uint32Array;
  readonly ordinals: Uint32Array;
  readonly count: number;
}

/** Documents by the number of a bucket. */
interface CountedBuckets {
  readonly docCounts: Uint32Array;
}

/** The numbers of one aggregation. */
export class BucketNumbers {
  /** By bucket above and ordinal; -1 is not known yet. Empty where there would be too many. */
  #known = new Int32Array(0);
  #width = 0;
  #parents = 0;
  /** The width that the array was made with. */
  #stride = 0;
  #out = new Uint32Array(0);

  /** Whether no number was ever forgotten: `add` is then called once for each pair. */
  isComplete = true;

  /** Whether any pair of the last call has no bucket. */
  hasNone = false;

  /** Forgets all numbers: ordinals stand for other values from now on. */
  clear(): void {
    if (this.#known.length === 0) return;
    this.#known.fill(-1);
    this.isComplete = false;
  }

  /**
   * The number of each pair: `add` makes those that are not known, and gives NO_NUMBER where there is no bucket. `width` is above
   * all ordinals. Each row adds one document to its bucket in `table`. The array is valid until the next call.
   */
  of(
    { buckets, ordinals, count }: NumberedRows,
    width: number,
    add: (parent: number, ordinal: number) => number,
    table?: CountedBuckets,
  ): Uint32Array {
    if (this.#out.length < count) this.#out = new Uint32Array(ordinals.length);
    const out = this.#out;
    let highest = 0;
    for (let i = 0; i < count; i++) if (buckets[i]! > highest) highest = buckets[i]!;
    if (width > this.#width || highest >= this.#parents) this.#resize(width, highest + 1);
    const known = this.#known;
    const stride = this.#stride;
    const isKnown = known.length > 0;
    let hasNone = false;
    let counts = table?.docCounts;
    for (let i = 0; i < count; i++) {
      const at = buckets[i]! * stride + ordinals[i]!;
      let number = isKnown ? known[at]! : -1;
      if (number < 0) {
        number = add(buckets[i]!, ordinals[i]!);
        if (isKnown) known[at] = number;
        // The table may have grown.
        counts = table?.docCounts;
      }
      out[i] = number;
      if (number === NO_NUMBER) hasNone = true;
      else if (counts !== undefined) counts[number]!++;
    }
    this.hasNone = hasNone;
    return out;
  }

  #resize(width: number, parents: number): void {
    if (width > this.#width) this.#width = this.#width === 0 ? width : Math.max(width, this.#width * 2);
    if (parents > this.#parents) this.#parents = Math.max(parents, this.#parents * 2);
    const pairs = this.#width * this.#parents;
    const before = this.#known;
    const stride = this.#stride;
    this.#stride = this.#width;
    if (pairs > MAX_PAIRS) {
      this.#known = new Int32Array(0);
      this.isComplete = false;
      return;
    }
    const known = new Int32Array(pairs).fill(-1);
    for (let from = 0, to = 0; from < before.length; from += stride, to += this.#width)
      known.set(before.subarray(from, from + stride), to);
    this.#known = known;
  }
}
