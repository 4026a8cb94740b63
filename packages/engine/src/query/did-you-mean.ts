// Suggests the names nearest to an unknown one by edit distance, as the peer does in its errors.

/** Optimal string alignment distance over the longer length, as a similarity of 0 to 1. */
function similarity(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        row.push(j);
        continue;
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same));
    }
    rows.push(row);
  }
  const longest = Math.max(a.length, b.length, 1);
  return 1 - rows[a.length]![b.length]! / longest;
}

/** ` did you mean [x]?` or ` did you mean any of [x, y]?`, or nothing when no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > 64) return '';
  const near = known
    .map((candidate) => ({ candidate, score: similarity(name, candidate) }))
    .filter(({ score }) => score > 0.5)
    .sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
  if (near.length === 0) return '';
  return near.length === 1 ? ` did you mean [${near[0]}]?` : ` did you mean any of [${near.join(', ')}]?`;
}
