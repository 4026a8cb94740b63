// Light stemmers of Bulgarian and Czech by Jacques Savoy, and one spelling of Serbian for both of its scripts.
//
// Sources: Savoy, "Searching Strategies for the Bulgarian Language" (2007); Dolamic and Savoy, "Indexing and Stemming
// Approaches for the Czech Language" (2009).

import { letterChange, replaceSuffix, rulesFor, type SuffixRule } from './suffix-rules.ts';

const BULGARIAN_ARTICLES = [...rulesFor(6, 'ият'), ...rulesFor(5, 'ът то те та ия'), ...rulesFor(4, 'ят')];
const BULGARIAN_PLURALS: readonly SuffixRule[] = [
  ...rulesFor(6, 'овци:о ове еве:й'),
  ...rulesFor(5, 'ища та ци:к зи:г'),
];
const BULGARIAN_SHORT_PLURALS = rulesFor(4, 'си:х и');

/** Light Bulgarian: article, plural, gender, then the vowels that come and go. */
export function stemBulgarian(input: string): string {
  if (input.length < 4) return input;
  if (input.length > 5 && input.endsWith('ища')) return input.slice(0, -3);
  let word = bulgarianSingular(replaceSuffix(input, BULGARIAN_ARTICLES) ?? input);
  if (word.length > 3) word = word.replace(/я$/, '').replace(/[аое]$/, '');
  if (word.length > 4) word = word.replace(/ен$/, 'н');
  return word.length > 5 ? word.replace(/ъ(.)$/, '$1') : word;
}

function bulgarianSingular(word: string): string {
  const singular = replaceSuffix(word, BULGARIAN_PLURALS);
  if (singular !== undefined) return singular;
  if (word.length > 5 && word.at(-3) === 'е' && word.endsWith('и'))
    return `${word.slice(0, -3)}я${word.at(-2)!}`;
  return replaceSuffix(word, BULGARIAN_SHORT_PLURALS) ?? word;
}

const CZECH_CASES: readonly SuffixRule[] = [
  ...rulesFor(7, 'atech'),
  ...rulesFor(6, 'ětem etem atům'),
  ...rulesFor(
    5,
    'ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými',
  ),
  ...rulesFor(4, 'em es ém ím ům at ám os us ým mi ou'),
  ...rulesFor(3, 'a e i o u ů y á é í ý ě'),
];
const CZECH_POSSESSIVES = rulesFor(5, 'ov in ův');
const CZECH_SOUNDS = rulesFor(0, 'čt:ck št:sk c:k č:k z:h ž:h');

/** Light Czech: case, possessive, then the sounds that these have changed. */
export function stemCzech(input: string): string {
  let word = replaceSuffix(input, CZECH_CASES) ?? input;
  word = replaceSuffix(word, CZECH_POSSESSIVES) ?? word;
  const changed = replaceSuffix(word, CZECH_SOUNDS);
  if (changed !== undefined) return changed;
  if (word.length > 1 && word.at(-2) === 'e') return word.slice(0, -2) + word.at(-1)!;
  return word.length > 2 && word.at(-2) === 'ů' ? `${word.slice(0, -2)}o${word.at(-1)!}` : word;
}

const serbianLetters = letterChange(
  'абвгдежзиј' + 'клмнопрсту' + 'фхшш' + 'ћцч' + 'žčćš',
  'abvgdezzij' + 'klmnoprstu' + 'fhss' + 'ccc' + 'zccs',
);
const SERBIAN_PAIRS: Readonly<Record<string, string>> = { ђ: 'dj', đ: 'dj', љ: 'lj', њ: 'nj', џ: 'dz' };

/** Serbian in Latin letters without marks. */
export function normalizeSerbian(word: string): string {
  return serbianLetters(word.replace(/[ђđљњџ]/g, (letter) => SERBIAN_PAIRS[letter]!));
}

const RUSSIAN_CASES: readonly SuffixRule[] = [
  ...rulesFor(6, 'иями оями'),
  ...rulesFor(5, 'иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев'),
  ...rulesFor(4, 'ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми'),
  ...rulesFor(3, 'а е и о у й ы я ь'),
];

/** Light Russian by Dolamic and Savoy (Indexing and Searching Strategies for the Russian Language, 2009). */
export function lightRussian(input: string): string {
  const word = replaceSuffix(input, RUSSIAN_CASES) ?? input;
  return replaceSuffix(word, rulesFor(3, 'ь и нн:н')) ?? word;
}
