// How is each language analysed? Filters behind the standard tokenizer, in the peers' order.

import type { JsonObject } from '../json/value.ts';
import type { TokenFilter } from './chain.ts';
import { lowercaseFilter, perTerm, possessive, stopFilter } from './filters.ts';
import { stemmerFor } from './stemmers.ts';

/** Languages that have an analyzer. */
export const LANGUAGES: readonly string[] = ['english'];

/** The filters of a language. */
export function languageAnalyzer(
  language: string,
  params: JsonObject,
  stopSet: (params: JsonObject, fallback: string) => ReadonlySet<string>,
): TokenFilter[] {
  return [
    perTerm('possessive_english', possessive),
    lowercaseFilter(),
    stopFilter('english_stop', stopSet(params, `_${language}_`)),
    perTerm('porter_stem', stemmerFor('porter')),
  ];
}
