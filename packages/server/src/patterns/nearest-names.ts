// The known names that a caller may have meant by an unknown one: those within a small edit distance.

/** Longer names are not compared: the work is the product of the lengths. */
const LONGEST = 200;

/**
 * At most three of `candidates` whose likeness to `name` (1 - edits / longer length) is above `least`, the
 * most alike first.
 */
export function nearestNames(
  name: string,
  candidates: readonly string[],
  least: number,
  longest: number = LONGEST,
): string[] {
  if (name.length > longest) return [];
  return candidates
    .map((each) => ({
      name: each,
      likeness: 1 - editDistance(name, each) / Math.max(name.length, each.length, 1),
    }))
    .filter(({ likeness }) => likeness > least)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein's distance (1966), by one row. O(|a| · |b|). */
export function editDistance(a: string, b: string): number {
  const row = Uint16Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (same ? 0 : 1));
      diagonal = above;
    }
  }
  return row[b.length]!;
}
