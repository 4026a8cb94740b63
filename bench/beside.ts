// How many times what another case takes does one take, on a machine that is twice as fast in one second as in the next? Both are
// asked by turns, in pieces: what two pieces take that lie side by side is compared, and the median of that is the answer. Medians of
// all times would compare the seconds in which each of them was lucky.

import { quantile } from './quantile.ts';

/** The median of what each piece takes beside that of the other case, by the medians of pieces in their order. REQUIRES: as many of both. */
export function timesBeside(own: readonly number[], other: readonly number[]): number {
  return quantile(
    own.map((median, at) => median / other[at]!),
    0.5,
  );
}
