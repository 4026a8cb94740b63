// The stemmer of Indonesian by Fadillah Tala, "A Study of Stemming Effects on Information Retrieval in Bahasa
// Indonesia" (2003). A word keeps at least two syllables; which suffixes it loses depends on the prefix that it had.

type Prefix = 'ke' | 'peng' | 'di' | 'meng' | 'ter' | 'ber' | 'pe' | 'per';

/** How a word begins, its prefix, and what stays in place of it. */
type PrefixRule = readonly [start: RegExp, prefix: Prefix, replacement: string];

const FIRST: readonly PrefixRule[] = [
  [/^meng/, 'meng', ''],
  [/^meny(?=[aeiou])/, 'meng', 's'],
  [/^me[nm]/, 'meng', ''],
  [/^me/, 'meng', ''],
  [/^peng/, 'peng', ''],
  [/^peny(?=[aeiou])/, 'peng', 's'],
  [/^peny/, 'peng', ''],
  [/^pen(?=[aeiou])/, 'peng', 't'],
  [/^pe[nm]/, 'peng', ''],
  [/^di/, 'di', ''],
  [/^ter/, 'ter', ''],
  [/^ke/, 'ke', ''],
];
const SECOND: readonly PrefixRule[] = [
  [/^ber/, 'ber', ''],
  [/^bel(?=ajar$)/, 'ber', ''],
  [/^be(?=[^aeiou]er)/, 'ber', ''],
  [/^per/, 'per', ''],
  [/^pel(?=ajar$)/, 'per', ''],
  [/^pe/, 'pe', ''],
];

/** A suffix, and the prefixes that it does not go with. */
const SUFFIXES: readonly (readonly [suffix: RegExp, apart: readonly Prefix[]])[] = [
  [/kan$/, ['ke', 'peng', 'pe']],
  [/an$/, ['di', 'meng', 'ter']],
  [/(?<!s)i$/, ['ber', 'ke', 'peng']],
];

/** One word on its way. Every cut takes a syllable. */
class Word {
  text: string;
  #syllables: number;
  readonly #prefixes = new Set<Prefix>();

  constructor(text: string) {
    this.text = text;
    this.#syllables = text.match(/[aeiou]/g)?.length ?? 0;
  }

  #becomes(text: string): boolean {
    this.text = text;
    this.#syllables--;
    return true;
  }

  /** Cuts an ending; tells whether there was one. */
  cut(ending: RegExp): boolean {
    return this.#syllables > 2 && ending.test(this.text) && this.#becomes(this.text.replace(ending, ''));
  }

  cutPrefix(rules: readonly PrefixRule[]): boolean {
    if (this.#syllables <= 2) return false;
    const rule = rules.find(([start]) => start.test(this.text));
    if (rule === undefined) return false;
    this.#prefixes.add(rule[1]);
    return this.#becomes(this.text.replace(rule[0], rule[2]));
  }

  cutSuffix(): boolean {
    return SUFFIXES.some(
      ([suffix, apart]) => !apart.some((each) => this.#prefixes.has(each)) && this.cut(suffix),
    );
  }
}

/** Indonesian: particle and possessive, then prefixes and suffix; light stems keep the latter. */
export function stemIndonesian(input: string, isLight = false): string {
  const word = new Word(input);
  word.cut(/(?:kah|lah|pun)$/);
  word.cut(/(?:[km]u|nya)$/);
  if (isLight) return word.text;
  if (!word.cutPrefix(FIRST)) {
    word.cutPrefix(SECOND);
    word.cutSuffix();
  } else if (word.cutSuffix()) word.cutPrefix(SECOND);
  return word.text;
}
