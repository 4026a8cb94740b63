// The scores that slow functions have given to documents of a chunk: they are computed in steps, before they are asked for.

import { andNotInto, hasBit, nextSetBit, setBit } from '../../../kernels/bits.ts';
import type { SearchMeter } from '../../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS } from '../../../segment/leaf.ts';
import { newBits } from '../node.ts';

/** Receives the score of a document, or the error of a function. */
export type UseScore = (doc: number, score: number, error?: unknown) => void;

/** The scores of one chunk at a time. */
export class ScoreResults {
  readonly meter: SearchMeter;
  #chunk = -1;
  readonly #known = newBits();
  readonly #scores = new Float64Array(CHUNK_DOCS);
  readonly #errors = new Map<number, unknown>();

  constructor(meter: SearchMeter) {
    this.meter = meter;
  }

  /** Those of some documents that have no score yet; undefined if all have one. */
  missing(chunk: number, bits: Uint32Array): Uint32Array | undefined {
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#known.fill(0);
      this.#errors.clear();
    }
    const missing = bits.slice();
    andNotInto(missing, this.#known);
    return missing.some((word) => word !== 0) ? missing : undefined;
  }

  add(doc: number, score: number, error: unknown): void {
    setBit(this.#known, doc);
    this.#scores[doc] = score;
    if (error !== undefined) this.#errors.set(doc, error);
  }

  /** Gives the scores of some documents. REQUIRES: none of them is missing. */
  each(bits: Uint32Array, use: UseScore): void {
    for (let doc = nextSetBit(bits, 0); doc >= 0; doc = nextSetBit(bits, doc + 1)) {
      if (!hasBit(this.#known, doc)) throw new RangeError('a score is missing');
      use(doc, this.#scores[doc]!, this.#errors.get(doc));
    }
  }
}
