// The filters of each language's analyzer, behind the standard tokenizer, in OpenSearch's order.

import type { JsonObject } from '../json/value.ts';
import type { TokenFilter } from './chain.ts';
import { perTerm, stemFilter } from './filters/term-filter.ts';
import { listParam } from './params.ts';
import { normalizeGerman } from './stem/light-stemmers.ts';
import { type Stem, stemmerFor } from './stem/stemmers.ts';
import { elisionFilter, lowercaseFilter, possessive, stopFilter } from './token-filters.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const ARTICLES: Readonly<Record<string, ReadonlySet<string>>> = {
  french: words('l m t qu n s j d c jusqu quoiqu lorsqu puisqu'),
  italian: words('c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'),
  catalan: words('d l m n s t'),
  irish: words('d m b'),
};

/** The stemmer of each language's analyzer. */
const STEMMERS: Readonly<Record<string, string>> = {
  armenian: 'armenian',
  basque: 'basque',
  catalan: 'catalan',
  danish: 'danish',
  dutch: 'dutch',
  english: 'porter',
  finnish: 'finnish',
  french: 'light_french',
  german: 'light_german',
  hungarian: 'hungarian',
  irish: 'irish',
  italian: 'light_italian',
  norwegian: 'norwegian',
  portuguese: 'light_portuguese',
  romanian: 'romanian',
  russian: 'russian',
  spanish: 'light_spanish',
  swedish: 'swedish',
  turkish: 'turkish',
};

/** Languages that have an analyzer. */
export const LANGUAGES: readonly string[] = Object.keys(STEMMERS);

/** The filters of a language. `stem_exclusion` lists words that are not stemmed. */
export function languageAnalyzer(
  language: string,
  params: JsonObject,
  stopSet: (params: JsonObject, fallback: string) => ReadonlySet<string>,
): TokenFilter[] {
  const filters: TokenFilter[] = [];
  if (language === 'english') filters.push(perTerm('possessive_english', possessive));
  if (language === 'turkish') filters.push(perTerm('apostrophe', (term) => term.split(/['\u2019]/)[0]));
  if (language === 'irish') filters.push(stopFilter('irish_hyphenations', words('h n t'), true));
  const articles = ARTICLES[language];
  if (articles !== undefined) filters.push(elisionFilter('elision', articles));
  filters.push(
    lowercaseFilter('lowercase', language === 'turkish' || language === 'irish' ? language : undefined),
  );
  filters.push(stopFilter(`${language}_stop`, stopSet(params, `_${language}_`)));
  const excluded = new Set(listParam(params, 'stem_exclusion') ?? []);
  const spare = (stem: Stem): Stem =>
    excluded.size === 0 ? stem : (term) => (excluded.has(term) ? term : stem(term));
  if (language === 'german') filters.push(perTerm('german_normalization', normalizeGerman));
  filters.push(stemFilter(`${language}_stemmer`, spare(stemmerFor(STEMMERS[language]!))));
  return filters;
}
