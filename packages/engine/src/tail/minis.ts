// Which minis become one? Logarithmically with fan-in 8: eight of a size class become one of the next, so a document
// is inverted again at most log8(n) times. A pure function of sizes.

const FAN_IN = 8;
const MOST = 16;

function levelOf(docs: number): number {
  let level = 0;
  for (let size = FAN_IN; docs >= size; size *= FAN_IN) level++;
  return level;
}

/**
 * Given the sizes of all minis, the newest last, how many of the first stay as they are; the rest become one.
 * Minis of `largest` documents or more stay, and merging does not make bigger ones unless there are too many.
 */
export function chooseMinis(sizes: readonly number[], largest: number): number {
  let kept = sizes.length - 1;
  for (;;) {
    const next = run(sizes, kept, largest);
    if (next === kept) break;
    kept = next;
  }
  // Too many small ones in spite of that: all behind the large ones become one.
  if (kept + 1 > MOST) while (kept > 0 && sizes[kept - 1]! < largest / FAN_IN) kept--;
  return kept;
}

/** Extends the merged suffix over the minis of its own class when there are enough of them. */
function run(sizes: readonly number[], kept: number, largest: number): number {
  let total = 0;
  for (let i = kept; i < sizes.length; i++) total += sizes[i]!;
  const level = levelOf(total);
  let from = kept;
  let sum = total;
  while (from > 0 && levelOf(sizes[from - 1]!) <= level && sum + sizes[from - 1]! <= largest) {
    sum += sizes[--from]!;
  }
  return kept - from + 1 >= FAN_IN ? from : kept;
}
