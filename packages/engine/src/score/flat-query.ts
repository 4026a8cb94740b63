// Flat queries: terms of fields with frequencies, any of them, all of them, or one after the other. Their
// best documents are found without scoring every match, because weights and length factors are settled.

/** One term and its weight. */
export interface FlatTerm {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** boost · idf, above 0; in a phrase the weight of the whole phrase. */
  readonly weight: number;
  /** Multipliers of tf by norm byte. */
  readonly inverses: Float32Array;
}

/**
 * Terms combined once. A document scores the sum of its terms in their order, or the frequency of the phrase.
 */
export interface FlatQuery {
  readonly shape: 'any' | 'all' | 'phrase';
  /** 1 … MOST_TERMS; those of a phrase are of one field. */
  readonly terms: readonly FlatTerm[];
  /** Offsets of a phrase's terms from its start, ascending from 0. */
  readonly offsets: readonly number[];
}

/** Sums of more bounds would get too coarse in 16 bits. */
export const MOST_TERMS = 32;
