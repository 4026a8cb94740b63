// The values that an HDR histogram of some significant digits shows for exact ones: each power of two is divided
// into equal steps, and a value stands for the end of its step (Tene, HdrHistogram).

/** Rounds values up to the end of their steps. */
export class HdrSteps {
  /** Steps of each power of two. */
  readonly #steps: number;
  /** The finest step: that of the power of two which holds the least value. */
  readonly #unit: number;

  /** `least` is the least value above 0. */
  constructor(digits: number, least: number) {
    this.#steps = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
    this.#unit = 2 ** exponentOf(least) / this.#steps;
  }

  /** The end of the step of a value. */
  end(value: number): number {
    if (value <= 0) return 0;
    const step = 2 ** exponentOf(value) / this.#steps;
    return Math.floor(value / step) * step + step - this.#unit;
  }
}

/** The place of the value of a percentile among so many. */
export function hdrPlace(percent: number, count: number): number {
  return Math.min(count, Math.max(1, Math.ceil((percent / 100) * count - 1e-9))) - 1;
}

function exponentOf(value: number): number {
  const exponent = Math.floor(Math.log2(value));
  // The logarithm of a value just below a power of two may be rounded up.
  return 2 ** exponent > value ? exponent - 1 : exponent;
}
