// Which minis become one? Logarithmically with fan-in 8: eight of a size class become one of the next, so a document
// is inverted about log8(n) times. Where eight would be more than the largest mini, as many as fit become one: a tail
// of 65,536 single documents has 17 minis on average, 34 at worst, and has inverted each document five times. (A
// bound on the number of minis that is kept by merging small ones early costs hundreds of times.) When the tail is full
// its small minis become one, once: while it is sealed it is searched beside the next tail, which begins with minis of
// its own. One that is sealed before it is full, for a flush or because writes have paused, keeps its minis: when its last
// commit comes nobody knows that it is the last.

const FAN_IN = 8;
/** Of the documents of a full tail, the share that its small minis have at most: so much is inverted once more. */
const SMALL_SHARE = 1 / 8;

function levelOf(docs: number): number {
  let level = 0;
  for (let size = FAN_IN; docs >= size; size *= FAN_IN) level++;
  return level;
}

/**
 * Given the sizes of all minis, the newest last, how many of the first stay as they are; the rest become one, of at
 * most `largest` documents unless the newest alone has more. `isFull`: no more will come. Pure.
 */
export function chooseMinis(sizes: readonly number[], largest: number, isFull: boolean): number {
  let kept = sizes.length - 1;
  for (;;) {
    const next = extend(sizes, kept, largest);
    if (next === kept) return isFull ? Math.min(kept, smallFrom(sizes, largest)) : kept;
    kept = next;
  }
}

/** The first of the small minis at the end of a full tail. */
function smallFrom(sizes: readonly number[], largest: number): number {
  let left = Math.min(sizes.reduce((a, b) => a + b, 0) * SMALL_SHARE, largest);
  let from = sizes.length;
  while (from > 0 && (left -= sizes[from - 1]!) >= 0) from--;
  return from;
}

/** Extends the merged suffix over the minis of its own class when there are enough of them, or no more would fit. */
function extend(sizes: readonly number[], kept: number, largest: number): number {
  let total = 0;
  for (let i = kept; i < sizes.length; i++) total += sizes[i]!;
  const level = levelOf(total);
  let from = kept;
  let sum = total;
  while (from > 0 && levelOf(sizes[from - 1]!) <= level && sum + sizes[from - 1]! <= largest) {
    sum += sizes[--from]!;
  }
  const enough = kept - from + 1 >= FAN_IN;
  const full = from < kept && sum + total > largest;
  return enough || full ? from : kept;
}
