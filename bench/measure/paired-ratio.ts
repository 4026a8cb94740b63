// The ratio of two cases on a machine whose speed doubles from one second to the next. Both cases run in
// alternating pieces; adjacent pieces are compared, and the median of those ratios is the result. Medians of
// all times would compare the fast seconds of one case with the slow ones of the other.

import { quantile } from './quantile.ts';

/** The median ratio of adjacent pieces, from the median time of each piece. REQUIRES: the same number of both. */
export function pairedRatio(own: readonly number[], other: readonly number[]): number {
  return quantile(
    own.map((median, at) => median / other[at]!),
    0.5,
  );
}
