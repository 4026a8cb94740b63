// Light stemmers of Finnish and Hungarian by Jacques Savoy (Report on CLEF-2003 Monolingual Tracks; Light Stemming Approaches
// for the French, Portuguese, German and Hungarian Languages, 2006).

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

/** The length that a word must exceed, the end that it must have, and what replaces it. */
type EndRule = readonly [longer: number, end: RegExp, replacement: string];

function replaceEnd(word: string, rules: readonly EndRule[]): string {
  const rule = rules.find(([longer, end]) => word.length > longer && end.test(word));
  return rule === undefined ? word : word.replace(rule[1], rule[2]);
}

const finnishLetters = letterChange('äåö', 'aao');

const FINNISH_ADVERBS: readonly SuffixRule[] = [...rulesFor(5, 'lla tse sti ni aa:a')];
const FINNISH_CASES: readonly EndRule[] = [
  [8, /(?:nnen|ntena)$/, 's'],
  [8, /(?:tten|eiden)$/, ''],
  [6, /(?:neen|niin|seen|teen|inen)$/, ''],
  [6, /h[aeiouy]n$/, ''],
  [6, /(?:den|ksen)$/, 's'],
  [6, /(?:ssa|sta|lla|lta|tta|ksi|lle)$/, ''],
  [5, /(?:na|ne|nei)$/, ''],
  [4, /(?:[jt]?a|[aeiouy]?n)$/, ''],
];

/** Light Finnish. */
export function lightFinnish(input: string): string {
  if (input.length < 4) return input;
  let word = finnishLetters(input);
  while (word.length > 8 && /(?:kin|ko)$/.test(word)) word = word.replace(/(?:kin|ko)$/, '');
  if (word.length > 11) word = word.replace(/delli(?:nen|suus)$/, '');
  word = replaceSuffix(word, FINNISH_ADVERBS) ?? word;
  word = replaceEnd(word, FINNISH_CASES);
  if (word.length > 5) word = word.replace(/hde$/, 'ksi');
  word = replaceEnd(word, [
    [4, /(?:ei|at)$/, ''],
    [3, /[tsjeai]$/, ''],
  ]);
  if (word.length > 8) word = word.replace(/[eou]$/, '');
  if (word.length > 4) word = word.replace(/i$/, '');
  return word.length > 4 ? word.replace(/([kpt])\1+/g, '$1') : word;
}

const hungarianLetters = letterChange('áëéíóőõöúűũûü', 'aeeioooouuuuu');

const HUNGARIAN_CASES: readonly EndRule[] = [
  [6, /kent$/, ''],
  [5, /(?:nak|nek|val|vel|ert|rol|ban|ben|bol|nal|nel|hoz|hez|tol)$/, ''],
  [5, /([^aeiouy])\1[ae]l$/, '$1'],
  [4, /(?:at|et|ot|va|ve|ra|re|ba|be|ul|ig)$/, ''],
  [4, /(?<=[^aeiouy])[oe]n$/, ''],
  [4, /[tn]$/, ''],
  [4, /([^aeiouy])\1[ae]$/, '$1'],
];
const HUNGARIAN_POSSESSIVES: readonly EndRule[] = [
  [6, /(?:(?<=[^aeiouy])(?:[ao]tok|etek)|itek|itok)$/, ''],
  [5, /(?:(?<=[^aeiouy])(?:unk|tok|tek)|(?<=[aeiouy])juk|ink)$/, ''],
  [4, /(?:(?<=[^aeiouy])(?:am|em|om|ad|ed|od|uk)|(?<=[aeiouy])(?:nk|ja|je)|im|id|ik)$/, ''],
  [3, /(?:(?<=[^aeiouy])[ae]|(?<=[aeiouy])[md]|i)$/, ''],
];
const HUNGARIAN_PLURALS: readonly EndRule[] = [
  [4, /[aoe]k$/, ''],
  [3, /k$/, ''],
];

/** Light Hungarian. */
export function lightHungarian(input: string): string {
  const ends = [HUNGARIAN_CASES, HUNGARIAN_POSSESSIVES, HUNGARIAN_PLURALS];
  const word = ends.reduce(replaceEnd, hungarianLetters(input));
  return word.length > 3 ? word.replace(/[aeio]$/, '') : word;
}
