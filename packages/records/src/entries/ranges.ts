// Which ranges of positions is a position in? A tree of fan-out 64 over the positions of a space: its leaves are
// ranges of 64, and it has as many levels as leave at most 64 ranges at the top.

/** Ranges in one of the level above; positions in a leaf. */
export const FAN_OUT = 64;

/** The number of levels of a space that has given so many positions: 1 up to 4096, 2 up to 262,144, … O(log n). */
export function levelsOf(positions: number): number {
  let levels = 1;
  for (let reach = FAN_OUT * FAN_OUT; reach < positions; reach *= FAN_OUT) levels++;
  return levels;
}

/** The range of a level that holds a position. Exact up to 2^53. */
export function rangeOf(position: number, level: number): number {
  return Math.floor(position / FAN_OUT ** level);
}

/** How many of some positions lie in each range of a level. O(n). */
export function countsByRange(positions: readonly number[], level: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const position of positions) {
    const range = rangeOf(position, level);
    counts.set(range, (counts.get(range) ?? 0) + 1);
  }
  return counts;
}
