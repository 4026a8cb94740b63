// Stemmers by name: Porter's for English as in Lucene, light stemmers for French, German, Italian, Portuguese and
// Spanish, those of `languages/`, and Snowball's (package snowball-stemmers) for the rest, where it also stands in for light and minimal ones.

import { createRequire } from 'node:module';
import { illegalArgument } from '../../errors.ts';
import { stemArabic, stemPersian, stemSorani } from '../languages/arabic-script.ts';
import { stemBengali } from '../languages/bengali.ts';
import { stemBrazilian } from '../languages/brazilian.ts';
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
  minimalFrench,
} from '../languages/light-stemmers.ts';
import { porter } from '../languages/porter.ts';
import { stemBulgarian, stemCzech } from '../languages/slavic.ts';

export type Stem = (term: string) => string;

interface Snowball {
  newStemmer(language: string): { stem(word: string): string };
  algorithms(): string[];
}

let snowball: Snowball | undefined;
const stems = new Map<string, Stem>();

function ofSnowball(language: string): Stem {
  let stem = stems.get(language);
  if (stem === undefined) {
    // Loaded on first use: most indices never need these 300 KB.
    snowball ??= createRequire(import.meta.url)('snowball-stemmers') as Snowball;
    const stemmer = snowball.newStemmer(language);
    stem = (term) => stemmer.stem(term);
    stems.set(language, stem);
  }
  return stem;
}

/** Names of the `stemmer` and `snowball` filters that differ from the package's. */
const NAMES: Readonly<Record<string, string>> = {
  english: 'porter',
  porter2: 'english',
  dutch_kp: 'dutch',
  'snowball:english': 'english',
  'snowball:porter': 'porter',
  'snowball:dutch': 'dutch',
  'snowball:kp': 'dutch',
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
]);

const SNOWBALL = new Set(
  'armenian basque catalan danish dutch english finnish french german hungarian irish italian norwegian portuguese romanian russian spanish swedish turkish'.split(
    ' ',
  ),
);

/** The stemmer of a name of the `stemmer` filter, or `snowball:Name`. Errors: illegal_argument_exception. */
export function stemmerFor(given: string): Stem {
  const name = given.toLowerCase();
  const bare = name
    .replace(/^snowball:/, '')
    .replace(/^(?:light|minimal|possessive)_/, '')
    .replace(/_?(?:light|minimal|plural)$/, '');
  if (name === 'possessive_english')
    return (term) => (/['\u2019\uff07]s$/i.test(term) ? term.slice(0, -2) : term);
  const light = LIGHT.get(name);
  if (light !== undefined) return light;
  const language = NAMES[name] ?? bare;
  if (language === 'porter') return porter;
  if (SNOWBALL.has(language)) return ofSnowball(language);
  throw illegalArgument(`Stemmer [${given}] is not supported`);
}
