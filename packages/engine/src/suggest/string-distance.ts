// How alike two words are, from 0 to 1 (Lucene's StringDistance classes). Lengths are UTF-16 units.

/** The measures by their names on the wire. */
export type StringDistance = 'internal' | 'damerau_levenshtein' | 'levenshtein' | 'jaro_winkler' | 'ngram';

/** A measure by its name; undefined for an unknown one. */
export function distanceNamed(name: string): StringDistance | undefined {
  const known = name.toLowerCase();
  if (known === 'internal' || known === 'levenshtein' || known === 'jaro_winkler' || known === 'ngram')
    return known;
  return known === 'damerau_levenshtein' ? known : undefined;
}

/** How alike two words are. A float32. O(length²). */
export function stringDistance(measure: Exclude<StringDistance, 'internal'>, a: string, b: string): number {
  switch (measure) {
    case 'damerau_levenshtein':
      return alike(edits([...a], [...b], true), Math.min([...a].length, [...b].length));
    case 'levenshtein':
      return alike(edits(a.split(''), b.split(''), false), Math.max(a.length, b.length));
    case 'jaro_winkler':
      return jaroWinkler(a, b);
    case 'ngram':
      return ngrams(a, b);
  }
}

function alike(distance: number, length: number): number {
  return length === 0 ? 1 : Math.fround(1 - Math.fround(distance / length));
}

function edits(a: readonly string[], b: readonly string[], swaps: boolean): number {
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, older[j - 2]! + same);
      next.push(least);
    }
    older = row;
    row = next;
  }
  return row[b.length]!;
}

function jaroWinkler(a: string, b: string): number {
  const [short, long] = a.length > b.length ? [b, a] : [a, b];
  const range = Math.max(Math.floor(long.length / 2) - 1, 0);
  const matched: boolean[] = new Array(long.length).fill(false);
  const first: string[] = [];
  for (let i = 0; i < short.length; i++) {
    const end = Math.min(i + range + 1, long.length);
    for (let j = Math.max(i - range, 0); j < end; j++) {
      if (matched[j] === true || short[i] !== long[j]) continue;
      matched[j] = true;
      first.push(short[i]!);
      break;
    }
  }
  const matches = first.length;
  if (matches === 0) return 0;
  const second = [...long].filter((_, j) => matched[j]);
  let swapped = 0;
  for (let i = 0; i < matches; i++) if (first[i] !== second[i]) swapped++;
  let prefix = 0;
  while (prefix < short.length && a[prefix] === b[prefix]) prefix++;
  const jaro = Math.fround(
    (matches / a.length + matches / b.length + (matches - Math.floor(swapped / 2)) / matches) / 3,
  );
  if (jaro < Math.fround(0.7)) return jaro;
  return Math.fround(jaro + Math.min(Math.fround(0.1), Math.fround(1 / long.length)) * prefix * (1 - jaro));
}

const N = 2;

/** Kondrak's distance of pairs of characters (N-Gram Similarity and Distance, 2005). */
function ngrams(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  let equal = 0;
  if (a.length < N || b.length < N) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] === b[i]) equal++;
    return Math.fround(equal / Math.max(a.length, b.length));
  }
  const padded = `\0${a}`;
  let row = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 1; j <= b.length; j++) {
    const pair = j === 1 ? `\0${b[0]}` : b.slice(j - 2, j);
    const next = [j];
    for (let i = 1; i <= a.length; i++) {
      let cost = 0;
      let length = N;
      for (let n = 0; n < N; n++) {
        if (padded[i - 1 + n] !== pair[n]) cost++;
        else if (padded[i - 1 + n] === '\0') length--;
      }
      next.push(Math.min(next[i - 1]! + 1, row[i]! + 1, row[i - 1]! + Math.fround(cost / length)));
    }
    row = next;
  }
  return Math.fround(1 - Math.fround(row[a.length]! / Math.max(a.length, b.length)));
}
