// Chooses the minis that become one: logarithmically with fan-in 8, so a document is inverted about
// log8(n) times. If eight would exceed the largest mini, as many as fit are merged: a tail of 65,536
// single documents has 17 minis on average, 34 at worst, and inverts each document five times. (Bounding
// the number of minis by merging small ones early would cost hundreds of times.)
// When the tail is full, its small minis are merged once more: while it is being sealed, it is searched
// beside the next tail, which starts with small minis. A tail sealed before it is full, for a flush or a
// pause of writes, keeps its minis: nobody knows that a commit is its last.

const FAN_IN = 8;
/** Largest share of a full tail's documents in its small minis: so much is inverted once more. */
const SMALL_SHARE = 1 / 8;

function levelOf(docs: number): number {
  let level = 0;
  for (let size = FAN_IN; docs >= size; size *= FAN_IN) level++;
  return level;
}

/**
 * Given the sizes of all minis, the newest last: how many of the first stay; the others become one, of at most `largest`
 * documents unless the newest alone has more. `isFull`: no more documents will come. Pure.
 */
export function chooseMinis(sizes: readonly number[], largest: number, isFull: boolean): number {
  let unchanged = sizes.length - 1;
  for (;;) {
    const next = extend(sizes, unchanged, largest);
    if (next === unchanged) return isFull ? Math.min(unchanged, smallFrom(sizes, largest)) : unchanged;
    unchanged = next;
  }
}

/** Index of the first of the small minis at the end of a full tail. */
function smallFrom(sizes: readonly number[], largest: number): number {
  let left = Math.min(sizes.reduce((a, b) => a + b, 0) * SMALL_SHARE, largest);
  let from = sizes.length;
  while (from > 0 && (left -= sizes[from - 1]!) >= 0) from--;
  return from;
}

/**
 * Extends the merged suffix over the minis of its own class when there are enough of them, or no more would
 * fit.
 */
function extend(sizes: readonly number[], unchanged: number, largest: number): number {
  let total = 0;
  for (let i = unchanged; i < sizes.length; i++) total += sizes[i]!;
  const level = levelOf(total);
  let from = unchanged;
  let sum = total;
  while (from > 0 && levelOf(sizes[from - 1]!) <= level && sum + sizes[from - 1]! <= largest) {
    sum += sizes[--from]!;
  }
  const enough = unchanged - from + 1 >= FAN_IN;
  const full = from < unchanged && sum + total > largest;
  return enough || full ? from : unchanged;
}
