// Arabic, Persian and Sorani Kurdish: one spelling for letters that are written in several ways, and light stemmers.
//
// Sources: Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval" (2007) for Arabic; the
// others follow Lucene's description of its analyzers.

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

/** Short vowels, their doubles, and the stretching line. */
const MARKS = '\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652';

/** One alef, one yeh, heh for teh marbuta; no vowel marks. */
export const normalizeArabic: (word: string) => string = letterChange(
  '\u0622\u0623\u0625\u0649\u0629',
  '\u0627\u0627\u0627\u064a\u0647',
  MARKS,
);

/** The letters of Persian as Arabic writes them. */
export const normalizePersian: (word: string) => string = letterChange(
  '\u06cc\u06d2\u06a9\u06c0\u06c1',
  '\u064a\u064a\u0643\u0647\u0647',
  '\u0654',
);

const HEH = '\u0647';
const AE = '\u06d5';
const soraniLetters = letterChange(
  '\u064a\u0649\u0643\u0629\u06be\u0692',
  '\u06cc\u06cc\u06a9\u06d5\u0647\u0695',
);
const SORANI_DROPPED = /[\u0640\u064b-\u0652]|\p{Cf}/u;

/** One spelling for the letters of Sorani; a heh that ends a word or a part of it is the vowel e. */
export function normalizeSorani(word: string): string {
  let out = '';
  for (let i = 0; i < word.length; i++) {
    const letter = word[i]!;
    if (letter === '\u200c') {
      if (out.endsWith(HEH)) out = out.slice(0, -1) + AE;
    } else if (letter === HEH) out += i === word.length - 1 ? AE : HEH;
    else if (letter === '\u0631') out += out === '' ? '\u0695' : letter;
    else if (!SORANI_DROPPED.test(letter)) out += soraniLetters(letter);
  }
  return out;
}

/** Articles and conjunctions, and how long a word must be to lose them. */
const ARABIC_PREFIXES: readonly (readonly [longer: number, prefix: string])[] = [
  [3, 'ال'],
  [4, 'وال'],
  [4, 'بال'],
  [4, 'كال'],
  [4, 'فال'],
  [3, 'لل'],
  [3, 'و'],
];
const ARABIC_SUFFIXES = 'ها ان ات ون ين يه ية ه ة ي'.split(' ');

/** Light Arabic: one prefix, then every suffix in turn that leaves two letters. */
export function stemArabic(input: string): string {
  const rule = ARABIC_PREFIXES.find(([longer, prefix]) => input.length > longer && input.startsWith(prefix));
  return cutEach(rule === undefined ? input : input.slice(rule[1].length), ARABIC_SUFFIXES);
}

const PERSIAN_SUFFIXES = [...'ات ان ترين تر يي ي ها'.split(' '), '\u200c'];

/** Light Persian: every suffix in turn that leaves two letters. */
export function stemPersian(input: string): string {
  return cutEach(input, PERSIAN_SUFFIXES);
}

function cutEach(input: string, suffixes: readonly string[]): string {
  let word = input;
  for (const suffix of suffixes) {
    if (word.length >= suffix.length + 2 && word.endsWith(suffix)) word = word.slice(0, -suffix.length);
  }
  return word;
}

const SORANI_POSTPOSITIONS = [...rulesFor(5, 'دا'), ...rulesFor(4, 'نا:ن'), ...rulesFor(6, 'ەوە')];
const SORANI_POSSESSIVES = rulesFor(6, 'مان یان تان');
const SORANI_FORMS: readonly SuffixRule[] = [
  ...rulesFor(6, 'ێکی'),
  ...rulesFor(7, 'یەکی'),
  ...rulesFor(5, 'ێک'),
  ...rulesFor(6, 'یەک ەکە'),
  ...rulesFor(5, 'کە'),
  ...rulesFor(7, 'ەکان'),
  ...rulesFor(6, 'کان'),
  ...rulesFor(7, 'یانی'),
  ...rulesFor(6, 'انی یان'),
  ...rulesFor(5, 'ان'),
  ...rulesFor(7, 'یانە'),
  ...rulesFor(6, 'انە'),
  ...rulesFor(5, 'ایە:ا ەیە:ە'),
  ...rulesFor(4, 'ە ی'),
];

/** Light Sorani: a postposition, a possessive, then one ending of number and definiteness. */
export function stemSorani(input: string): string {
  let word = replaceSuffix(input, SORANI_POSTPOSITIONS) ?? input;
  word = replaceSuffix(word, SORANI_POSSESSIVES) ?? word;
  return replaceSuffix(word, SORANI_FORMS) ?? word;
}
