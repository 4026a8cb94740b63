// Danish, Norwegian and Swedish: one letter for the spellings of the same sounds, and light stemmers.

import { replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

const SINGLE: Readonly<Record<string, string>> = { ä: 'æ', Ä: 'Æ', ö: 'ø', Ö: 'Ø' };
const PAIRED: Readonly<Record<string, string>> = {
  ...{ aa: 'å', ao: 'å', ae: 'æ', oe: 'ø', oo: 'ø' },
  ...{ Aa: 'Å', Ao: 'Å', Ae: 'Æ', Oe: 'Ø', Oo: 'Ø' },
};

/** The letters å, æ and ø for all of their spellings. */
export function normalizeScandinavian(word: string): string {
  return word.replace(
    /[äÄöÖ]|[aA][aAoOeE]|[oO][eEoO]/g,
    (found) => SINGLE[found] ?? PAIRED[found[0]! + found[1]!.toLowerCase()]!,
  );
}

const FOLDED: Readonly<Record<string, string>> = {
  ...{ å: 'a', ä: 'a', æ: 'a', ö: 'o', ø: 'o' },
  ...{ Å: 'A', Ä: 'A', Æ: 'A', Ö: 'O', Ø: 'O' },
};

/** The letters a and o for all of these and their spellings. */
export function foldScandinavian(word: string): string {
  return word.replace(/[åäæöøÅÄÆÖØ]|[aA][aAoOeE]|[oO][eEoO]/g, (found) => FOLDED[found] ?? found[0]!);
}

const SWEDISH: readonly SuffixRule[] = [
  ...rulesFor(7, 'elser heten'),
  ...rulesFor(6, 'arne erna ande else aste orna aren'),
  ...rulesFor(5, 'are ast het'),
  ...rulesFor(4, 'ar er or en at te et'),
  ...rulesFor(3, 't a e n'),
];
const BOKMAL: readonly SuffixRule[] = [
  ...rulesFor(7, 'heter heten'),
  ...rulesFor(5, 'dom het'),
  ...rulesFor(7, 'elser elsen'),
  ...rulesFor(6, 'ende else este eren'),
  ...rulesFor(5, 'ere est ene'),
  ...rulesFor(4, 'er en et st te'),
  ...rulesFor(3, 'a e n'),
];
const NYNORSK: readonly SuffixRule[] = [
  ...rulesFor(7, 'heita'),
  ...rulesFor(8, 'heiter leiken leikar'),
  ...rulesFor(5, 'dom'),
  ...rulesFor(6, 'heit semd leik'),
  ...rulesFor(7, 'elser elsen'),
  ...rulesFor(6, 'ande else aste aren'),
  ...rulesFor(5, 'are ast ene ane'),
  ...rulesFor(4, 'er en et ar te'),
  ...rulesFor(3, 'a e n'),
];
const BOKMAL_NOUNS = [...rulesFor(5, 'ene'), ...rulesFor(4, 'er en et'), ...rulesFor(3, 'a e')];
const NYNORSK_NOUNS = [...rulesFor(5, 'ene ane'), ...rulesFor(4, 'er en et ar'), ...rulesFor(3, 'a e')];

/** A stemmer that takes the s of the genitive, and then one ending. */
function withoutGenitive(rules: readonly SuffixRule[]): (word: string) => string {
  return (input) => {
    const word = input.length > 4 ? input.replace(/s$/, '') : input;
    return replaceSuffix(word, rules) ?? word;
  };
}

/** Light Swedish by Jacques Savoy (Report on CLEF-2003 Monolingual Tracks), and the like for both forms of Norwegian. */
export const lightSwedish: (word: string) => string = withoutGenitive(SWEDISH);
export const lightNorwegian: (word: string) => string = withoutGenitive(BOKMAL);
export const lightNynorsk: (word: string) => string = withoutGenitive(NYNORSK);
/** Nouns only. */
export const minimalNorwegian: (word: string) => string = withoutGenitive(BOKMAL_NOUNS);
export const minimalNynorsk: (word: string) => string = withoutGenitive(NYNORSK_NOUNS);
