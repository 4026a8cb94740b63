// The filters of each language's analyzer, behind the standard tokenizer, in OpenSearch's order.

import type { JsonObject } from '../json/value.ts';
import type { CharFilter, TokenFilter, Tokenizer } from './chain.ts';
import { CHAR_FILTERS } from './char-filters.ts';
import { keywordMarker } from './filters/keyword-filters.ts';
import { perTerm, stemFilter } from './filters/term-filter.ts';
import { normalization } from './languages/normalizations.ts';
import { listParam } from './params.ts';
import { stemmerFor } from './stem/stemmers.ts';
import { decimalDigits, elisionFilter, lowercaseFilter, possessive, stopFilter } from './token-filters.ts';
import { standardTokenizer, TOKENIZERS } from './tokenizers.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const ARTICLES: Readonly<Record<string, ReadonlySet<string>>> = {
  french: words('l m t qu n s j d c jusqu quoiqu lorsqu puisqu'),
  italian: words('c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'),
  catalan: words('d l m n s t'),
  irish: words('d m b'),
};

/** The stemmer of each language's analyzer. */
const STEMMERS: Readonly<Record<string, string>> = {
  arabic: 'arabic',
  armenian: 'armenian',
  basque: 'basque',
  bengali: 'bengali',
  brazilian: 'brazilian',
  bulgarian: 'bulgarian',
  catalan: 'catalan',
  czech: 'czech',
  danish: 'danish',
  dutch: 'dutch',
  english: 'porter',
  estonian: 'estonian',
  finnish: 'finnish',
  french: 'light_french',
  german: 'light_german',
  greek: 'greek',
  hindi: 'hindi',
  hungarian: 'hungarian',
  indonesian: 'indonesian',
  irish: 'irish',
  italian: 'light_italian',
  latvian: 'latvian',
  lithuanian: 'lithuanian',
  norwegian: 'norwegian',
  persian: 'persian',
  portuguese: 'light_portuguese',
  romanian: 'romanian',
  russian: 'russian',
  sorani: 'sorani',
  spanish: 'light_spanish',
  swedish: 'swedish',
  thai: 'none',
  turkish: 'turkish',
};

/** Languages that have an analyzer. */
export const LANGUAGES: readonly string[] = Object.keys(STEMMERS);

/** The order of the filters, where it is not that of most languages. `keep` leaves out words that are not stemmed. */
const ORDERS: Readonly<Record<string, string>> = {
  arabic: 'lowercase decimal_digit stop arabic_normalization keep stem',
  bengali: 'lowercase decimal_digit keep indic_normalization bengali_normalization stop stem',
  english: 'possessive_english lowercase stop keep stem',
  german: 'lowercase stop keep german_normalization stem',
  hindi: 'lowercase decimal_digit keep indic_normalization hindi_normalization stop stem',
  irish: 'hyphenations elision lowercase stop keep stem',
  persian: 'lowercase decimal_digit arabic_normalization persian_normalization stop keep stem',
  sorani: 'sorani_normalization lowercase decimal_digit stop keep stem',
  thai: 'lowercase decimal_digit stop',
  turkish: 'apostrophe lowercase stop keep stem',
};
const ORDER = 'lowercase stop keep stem';
const ORDER_WITH_ARTICLES = 'elision lowercase stop keep stem';

/** Languages whose letters have lower cases of their own. */
const OWN_CASES = new Set(['greek', 'irish', 'turkish']);

/** How the texts of a language are cut into words. */
export function languageTokenizer(language: string): Tokenizer {
  return language === 'thai' ? TOKENIZERS.get('thai')!('thai', {}) : standardTokenizer();
}

/** Before a Persian text is cut into words, the mark between parts of a word becomes a space. */
export function languageCharFilters(language: string): CharFilter[] {
  return language === 'persian'
    ? [CHAR_FILTERS.get('mapping')!('persian', { mappings: ['\u200c => \\u0020'] })]
    : [];
}

/** The filters of a language. `stem_exclusion` lists words that are not stemmed. */
export function languageAnalyzer(
  language: string,
  params: JsonObject,
  stopSet: (params: JsonObject, fallback: string) => ReadonlySet<string>,
): TokenFilter[] {
  const excluded = new Set(listParam(params, 'stem_exclusion') ?? []);
  const articles = ARTICLES[language];
  const order = ORDERS[language] ?? (articles === undefined ? ORDER : ORDER_WITH_ARTICLES);
  // Right before the stemmer the marks are not needed: it can look itself, and then no token is made of a word.
  const isLate = order.endsWith('keep stem');
  return order.split(' ').flatMap((step): TokenFilter[] => {
    switch (step) {
      case 'possessive_english':
        return [perTerm(step, possessive)];
      case 'apostrophe':
        return [perTerm(step, (term) => term.split(/['\u2019]/)[0])];
      case 'hyphenations':
        return [stopFilter('irish_hyphenations', words('h n t'), true)];
      case 'elision':
        return [elisionFilter(step, articles!)];
      case 'lowercase':
        return [lowercaseFilter(step, OWN_CASES.has(language) ? language : undefined)];
      case 'decimal_digit':
        return [perTerm(step, decimalDigits)];
      case 'stop':
        return [stopFilter(`${language}_stop`, stopSet(params, `_${language}_`))];
      case 'keep':
        return excluded.size === 0 || isLate
          ? []
          : [keywordMarker('keyword_marker', { keywords: [...excluded] })];
      case 'stem': {
        const stem = stemmerFor(STEMMERS[language]!);
        const spare = (term: string): string => (excluded.has(term) ? term : stem(term));
        return [stemFilter(`${language}_stemmer`, excluded.size > 0 && isLate ? spare : stem)];
      }
      default:
        return [normalization(step, step)];
    }
  });
}
