// How many times what another case takes does one take, on a machine that is twice as fast in one second as in the next? Both are
// asked by turns, in pieces: what two pieces take that lie side by side is compared, and the median of that is the answer. Medians of
// all times would compare the seconds in which each of them was lucky.

import { quantile } from './quantile.ts';

/** Medians of pieces, in their order; of one that was not asked there is none. */
export type Pieces = readonly (number | undefined)[];

/** The median of what each piece takes beside that of the other case; undefined where there are no two. */
export function timesBeside(own: Pieces, other: Pieces): number | undefined {
  const times = own.flatMap((median, at) => {
    const beside = other[at];
    return median === undefined || !beside ? [] : [median / beside];
  });
  return times.length === 0 ? undefined : quantile(times, 0.5);
}
