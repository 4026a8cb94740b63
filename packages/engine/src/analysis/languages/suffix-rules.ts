// Rules that cut or replace the ends of words: what most stemmers are made of.

/** A suffix, what replaces it, and the length that a word must exceed. */
export type SuffixRule = readonly [longer: number, suffix: string, replacement: string];

/** Rules of one length: suffixes between spaces, each with what replaces it behind a colon, or nothing. */
export function rulesFor(longer: number, suffixes: string): SuffixRule[] {
  return suffixes.split(' ').map((each) => {
    const [suffix = '', replacement = ''] = each.split(':');
    return [longer, suffix, replacement];
  });
}

/** Applies the first rule that fits; undefined where none does. */
export function replaceSuffix(word: string, rules: readonly SuffixRule[]): string | undefined {
  for (const [longer, suffix, replacement] of rules) {
    if (word.length > longer && word.endsWith(suffix))
      return word.slice(0, word.length - suffix.length) + replacement;
  }
  return undefined;
}

/** A test for words that end in one of some suffixes, which stand between spaces. */
export function endingIn(suffixes: string): (word: string) => boolean {
  const list = suffixes.split(' ');
  return (word) => list.some((suffix) => word.endsWith(suffix));
}

/** A change of letters: each letter of `from` becomes the one of `to` at its place. All letters of `dropped` are removed. */
export function letterChange(from: string, to: string, dropped = ''): (word: string) => string {
  const table = new Map<string, string>(Array.from(from, (letter, i) => [letter, to[i]!]));
  for (const letter of dropped) table.set(letter, '');
  return (word) => {
    let out = '';
    for (const letter of word) out += table.get(letter) ?? letter;
    return out;
  };
}
