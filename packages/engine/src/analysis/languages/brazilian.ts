// The stemmer of Brazilian Portuguese that OpenSearch has beside that of Snowball, with its oddities: `-logias` and verbs in
// `-ira` stay as they are. Suffixes count only in a region of the word: r1 lies behind the first consonant after a
// vowel, r2 is r1 of r1, and rv lies behind the first syllables.

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

const bare = letterChange('áâãéêíóôõúüçñ', 'aaaeeiooouucn');
const isVowel = (letter: string | undefined): boolean => letter !== undefined && 'aeiou'.includes(letter);

/** The first place from `from` on, but before the last letter, where a letter is a vowel or not; -1 without one. */
function placeOf(word: string, from: number, vowel: boolean): number {
  for (let i = from; i < word.length - 1; i++) if (isVowel(word[i]) === vowel) return i;
  return -1;
}

function regionOne(word: string): string {
  const vowel = placeOf(word, 0, true);
  const consonant = vowel < 0 ? -1 : placeOf(word, vowel, false);
  return consonant < 0 ? '' : word.slice(consonant + 1);
}

function verbRegion(word: string): string {
  const second = isVowel(word[1]);
  const vowel = second || word.length < 2 ? -1 : placeOf(word, 2, true);
  if (vowel >= 0) return word.slice(vowel + 1);
  const consonant = second && isVowel(word[0]) && word.length > 2 ? placeOf(word, 2, false) : -1;
  if (consonant >= 0) return word.slice(consonant + 1);
  return word.length > 3 ? word.slice(3) : '';
}

type Region = 'r1' | 'r2' | 'rv';

/** Suffixes of nouns and adjectives, with the region that they lie in. */
const NOUNS: readonly (readonly [region: Region, rules: readonly SuffixRule[]])[] = [
  ['r2', rulesFor(0, 'uciones:u imentos amentos adores adoras logias:logias encias:ente')],
  ['r1', rulesFor(0, 'amente')],
  [
    'r2',
    rulesFor(0, 'idades acoes imento amento adora ismos istas logia:log ucion:u encia:ente mente idade'),
  ],
  ['r2', rulesFor(0, 'acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos')],
  ['rv', rulesFor(0, 'eiras:eir')],
  ['r2', rulesFor(0, 'eza ico ica oso osa iva ivo')],
  ['rv', rulesFor(0, 'eira:eir')],
];

const VERBS = (
  'issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis esseis ' +
  'isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ' +
  'ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria eria iria asse esse isse aste este ' +
  'iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao erao irao adas idas aras eras iras ' +
  'avas ares eres ires ados idos amos emos imos ieis ada ida ara era ira iam ado ido ias ais eis ear ia ei am em ar ' +
  'er ir as es is eu iu ou'
).split(' ');

const without = (word: string, ending: string): string =>
  word.endsWith(ending) ? word.slice(0, -ending.length) : word;

/** Brazilian Portuguese. */
export function stemBrazilian(input: string): string {
  const word = bare(input.toLowerCase())
    .replace(/^["'\-,;.?!](?=.)/, '')
    .replace(/(?<=.)["'\-,;.?!]$/, '');
  if (word.length < 3 || word.length > 29) return input;
  if (!/^\p{L}+$/u.test(word)) return word;
  const r1 = regionOne(word);
  const rv = verbRegion(word);
  const noun = cutNoun(word, { r1, r2: regionOne(r1), rv });
  const verb = noun === undefined ? VERBS.find((ending) => rv.endsWith(ending)) : undefined;
  let stem = noun ?? (verb === undefined || verb === 'ira' ? word : without(word, verb));
  if (rv === '') return stem;
  if (noun !== undefined || verb !== undefined) {
    if (rv.endsWith('ci')) stem = without(stem, 'i');
  } else stem = without(stem, ['os', 'a', 'i', 'o'].find((ending) => rv.endsWith(ending)) ?? ' ');
  if (!rv.endsWith('e')) return stem;
  stem = without(stem, 'e');
  return rv.endsWith('gue') ? without(stem, 'u') : rv.endsWith('cie') ? without(stem, 'i') : stem;
}

function cutNoun(word: string, regions: Readonly<Record<Region, string>>): string | undefined {
  for (const [region, rules] of NOUNS) {
    const inside = rules.filter(([, suffix]) => endsRegion(regions[region], suffix, region));
    const stem = replaceSuffix(word, inside);
    if (stem !== undefined) return stem;
  }
  return undefined;
}

/** Of `eira` and `eiras` the first letter may lie before the region. */
function endsRegion(region: string, suffix: string, name: Region): boolean {
  return region.endsWith(name === 'rv' ? suffix.slice(1) : suffix);
}
