// Stemmers by name: those of `languages/`, and Snowball's from the packages @orama/stemmers and snowball-stemmers. The packages
// were compared with OpenSearch 3.1 word by word; each language is taken from the one that gives the same stems.

import { createRequire } from 'node:module';
import { illegalArgument } from '../../errors.ts';
import { stemArabic, stemPersian, stemSorani } from '../languages/arabic-script.ts';
import { stemBrazilian } from '../languages/brazilian.ts';
import { stemEstonian } from '../languages/estonian.ts';
import { lightFinnish, lightHungarian } from '../languages/finno-ugric.ts';
import { stemGreek } from '../languages/greek.ts';
import { minimalGalician, minimalPortuguese } from '../languages/iberian-plurals.ts';
import { stemBengali } from '../languages/indic/bengali.ts';
import { stemHindi } from '../languages/indic/hindi.ts';
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
  pluralEnglish,
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
import { unsupportedPart } from '../unsupported-parts.ts';

type Stem = (term: string) => string;

type Load = (name: string) => unknown;

interface SnowballPackage {
  newStemmer(language: string): { stem(word: string): string };
}

/** The file of @orama/stemmers for each language of Snowball that it has as Lucene does. */
const ORAMA: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'arabic armenian danish dutch finnish french german greek hungarian indonesian irish italian lithuanian nepali ' +
      'norwegian portuguese romanian russian serbian spanish swedish tamil turkish'
    )
      .split(' ')
      .map((language) => [language, language]),
  ),
  hindi: 'indian',
};

/** Languages of Snowball that are taken from snowball-stemmers. */
const OTHERS: ReadonlySet<string> = new Set(['basque', 'catalan', 'english', 'porter']);

/** What newer versions of Snowball do in some languages, around what the packages do. */
const CHANGES: Readonly<Record<string, (stem: Stem) => Stem>> = {
  // Short words keep the double letter at their end.
  english: (stem) => (term) =>
    stem(/^([aeo](bb|dd|ff|gg|mm|nn|pp|rr|tt))(?:ed|ing)(?:ly)?$/.exec(term)?.[1] ?? term),
  // Vowels written with an e; u is no such vowel behind another one or q.
  german: (stem) => (term) =>
    stem(term.replace(/qu|ae|oe|(?<![aeiouyäöü])ue/g, (found) => UMLAUTS[found] ?? found)),
  romanian: (stem) => (term) => commas(stem(cedillas(term))),
};
const UMLAUTS: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' };
const cedillas = letterChange('șț', 'şţ');
const commas = letterChange('şţ', 'șț');

const stems = new Map<string, Stem>();

/** The stemmer of Snowball for a language; undefined where there is none. Its code is loaded with its first use. */
function ofSnowball(language: string): Stem | undefined {
  let stem = stems.get(language);
  if (stem === undefined) {
    const load: Load = createRequire(import.meta.url);
    if (Object.hasOwn(ORAMA, language))
      stem = (load(`@orama/stemmers/${ORAMA[language]}`) as { stemmer: Stem }).stemmer;
    else if (OTHERS.has(language)) {
      const stemmer = (load('snowball-stemmers') as SnowballPackage).newStemmer(language);
      stem = (term) => stemmer.stem(term);
    } else return language === 'estonian' ? stemEstonian : undefined;
    stem = CHANGES[language]?.(stem) ?? stem;
    stems.set(language, stem);
  }
  return stem;
}

/** Other names of languages in the filters `stemmer` and `snowball`. */
const NAMES: Readonly<Record<string, string>> = { porter2: 'english', german2: 'german' };
/** Other names of light stemmers: `lightFrench`, and a misspelled one. */
const LIGHT_NAME = /^(light|minimal|plural|possessive)(?=[a-z])/;

const LIGHT: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ['arabic', stemArabic],
  ['bengali', stemBengali],
  ['brazilian', stemBrazilian],
  ['bulgarian', stemBulgarian],
  ['czech', stemCzech],
  ['english', porter],
  ['greek', stemGreek],
  ['hindi', stemHindi],
  ['indonesian', (term) => stemIndonesian(term)],
  ['latvian', stemLatvian],
  ['persian', stemPersian],
  ['porter', porter],
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
  ['minimal_galician', minimalGalician],
  ['minimal_german', minimalGerman],
  ['minimal_norwegian', minimalNorwegian],
  ['minimal_nynorsk', minimalNynorsk],
  ['minimal_portuguese', minimalPortuguese],
  ['plural_english', pluralEnglish],
  ['possessive_english', (term) => (/['\u2019\uff07]s$/i.test(term) ? term.slice(0, -2) : term)],
]);

/** The stemmer of a language in the filter `stemmer`. Errors: illegal_argument_exception. */
export function stemmerFor(language: string): Stem {
  const name = language.toLowerCase().replace(LIGHT_NAME, '$1_').replace('finish', 'finnish');
  return LIGHT.get(name) ?? snowballStemmer(name);
}

/** The stemmer of a language in the filter `snowball`. Errors: illegal_argument_exception. */
export function snowballStemmer(language: string): Stem {
  const name = language.toLowerCase();
  const stem = ofSnowball(NAMES[name] ?? name);
  if (stem !== undefined) return stem;
  const unsupported = unsupportedPart('stemmer', name);
  throw (
    unsupported ??
    illegalArgument(
      `Invalid stemmer class specified: ${language.slice(0, 1).toUpperCase()}${language.slice(1)}`,
    )
  );
}
