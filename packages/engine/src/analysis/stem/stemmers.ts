// Stemmers by name: Porter's for English as in Lucene, light stemmers for French, German, Italian, Portuguese and
// Spanish, those of `languages/`, and Snowball's (package snowball-stemmers) for the rest.

import { createRequire } from 'node:module';
import { illegalArgument } from '../../errors.ts';
import { stemArabic, stemPersian, stemSorani } from '../languages/arabic-script.ts';
import { stemBengali } from '../languages/bengali.ts';
import { stemBrazilian } from '../languages/brazilian.ts';
import { lightFinnish, lightHungarian } from '../languages/finno-ugric.ts';
import { stemGreek } from '../languages/greek.ts';
import { stemHindi } from '../languages/hindi.ts';
import { stemIndonesian } from '../languages/indonesian.ts';
import { stemLatvian } from '../languages/latvian.ts';
import {
  lightFrench,
  lightGerman,
  lightItalian,
  lightPortuguese,
  lightSpanish,
  minimalEnglish,
  minimalFrench,
  minimalGerman,
} from '../languages/light-stemmers.ts';
import { porter } from '../languages/porter.ts';
import {
  lightNorwegian,
  lightNynorsk,
  lightSwedish,
  minimalNorwegian,
  minimalNynorsk,
} from '../languages/scandinavian.ts';
import { lightRussian, stemBulgarian, stemCzech } from '../languages/slavic.ts';
import { letterChange } from '../languages/suffix-rules.ts';

export type Stem = (term: string) => string;

interface Snowball {
  newStemmer(language: string): { stem(word: string): string };
  algorithms(): string[];
}

let snowball: Snowball | undefined;
const stems = new Map<string, Stem>();

/** Letters that newer versions of Snowball know, as those that the package knows (`isInput`), and back. */
const SPELLINGS: Readonly<Record<string, (term: string, isInput: boolean) => string>> = {
  // Vowels written with an e; u is no such vowel behind another one or q.
  german: (term, isInput) =>
    isInput ? term.replace(/qu|ae|oe|(?<![aeiouyäöü])ue/g, (found) => UMLAUTS[found] ?? found) : term,
  romanian: (term, isInput) => (isInput ? cedillas(term) : commas(term)),
  russian: (term, isInput) => (isInput ? term.replaceAll('ё', 'е') : term),
};
const UMLAUTS: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' };
const cedillas = letterChange('șț', 'şţ');
const commas = letterChange('şţ', 'șț');

function ofSnowball(language: string): Stem {
  let stem = stems.get(language);
  if (stem === undefined) {
    // Loaded on first use: most indices never need these 300 KB.
    snowball ??= createRequire(import.meta.url)('snowball-stemmers') as Snowball;
    const stemmer = snowball.newStemmer(language);
    const spell = SPELLINGS[language] ?? ((term: string): string => term);
    stem = (term) => spell(stemmer.stem(spell(term, true)), false);
    stems.set(language, stem);
  }
  return stem;
}

/** Names of the `stemmer` and `snowball` filters that differ from the package's. */
const NAMES: Readonly<Record<string, string>> = {
  english: 'porter',
  porter2: 'english',
  german2: 'german',
  'snowball:english': 'english',
  'snowball:porter': 'porter',
  'snowball:german2': 'german',
};

const LIGHT: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ['arabic', stemArabic],
  ['bengali', stemBengali],
  ['brazilian', stemBrazilian],
  ['bulgarian', stemBulgarian],
  ['czech', stemCzech],
  ['greek', stemGreek],
  ['hindi', stemHindi],
  ['indonesian', (term) => stemIndonesian(term)],
  ['latvian', stemLatvian],
  ['persian', stemPersian],
  ['sorani', stemSorani],
  ['light_french', lightFrench],
  ['minimal_french', minimalFrench],
  ['light_portuguese', lightPortuguese],
  ['light_german', lightGerman],
  ['light_spanish', lightSpanish],
  ['light_italian', lightItalian],
  ['light_finnish', lightFinnish],
  ['light_hungarian', lightHungarian],
  ['light_norwegian', lightNorwegian],
  ['light_nynorsk', lightNynorsk],
  ['light_russian', lightRussian],
  ['light_swedish', lightSwedish],
  ['minimal_english', minimalEnglish],
  ['minimal_german', minimalGerman],
  ['minimal_norwegian', minimalNorwegian],
  ['minimal_nynorsk', minimalNynorsk],
  ['possessive_english', (term) => (/['\u2019\uff07]s$/i.test(term) ? term.slice(0, -2) : term)],
]);

const SNOWBALL = new Set(
  'armenian basque catalan danish dutch english finnish french german hungarian irish italian norwegian portuguese romanian russian spanish swedish turkish'.split(
    ' ',
  ),
);

/** The stemmer of a name of the `stemmer` filter, or `snowball:Name`. Errors: illegal_argument_exception. */
export function stemmerFor(given: string): Stem {
  const name = given.toLowerCase();
  const light = LIGHT.get(name);
  if (light !== undefined) return light;
  const language = NAMES[name] ?? name.replace(/^snowball:/, '');
  if (language === 'porter') return porter;
  if (SNOWBALL.has(language)) return ofSnowball(language);
  throw illegalArgument(`Stemmer [${given}] is not supported`);
}
