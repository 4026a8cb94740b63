// Which names did the caller mean? Those within a third of the edits, nearest first.

/** Names more alike than this (1 - edits / longer length) are offered. */
const LIKENESS = 0.7;

/** Longer words are not compared: the work is the product of the lengths. */
const LONGEST = 200;

/** At most three of `candidates` that look like `word`, the most alike first. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  if (word.length > LONGEST) return [];
  return candidates
    .map((name) => ({ name, likeness: 1 - edits(word, name) / Math.max(word.length, name.length, 1) }))
    .filter(({ likeness }) => likeness > LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein's distance, by one row. O(|a| · |b|). */
export function edits(a: string, b: string): number {
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
