// The analyzers that exist without configuration, by name, as in OpenSearch. Each takes the settings of
// a configured analyzer of its type.

import { illegalArgument } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { Chain, type CharFilter, type TokenFilter, type Tokenizer } from './chain.ts';
import { cjkBigram, foldWidth } from './filters/cjk-filters.ts';
import { perTerm } from './filters/term-filter.ts';
import { fingerprintFilter } from './filters/whole-text.ts';
import {
  LANGUAGES,
  languageAnalyzer,
  languageCharFilters,
  languageTokenizer,
  MISSING_LANGUAGES,
} from './language-analyzers.ts';
import { boolParam, intParam, listParam } from './params.ts';
import { stopWords } from './stem/stopwords.ts';
import { lowercaseFilter, stopFilter } from './token-filters.ts';
import { patternTokenizer } from './tokenizers/pattern-tokenizers.ts';
import { standardTokenizer, TOKENIZERS } from './tokenizers.ts';
import { foldAscii } from './words/ascii-folding.ts';

export type AnalyzerFactory = (name: string, params: JsonObject) => Chain;

/** The words of a `stopwords` setting. */
export function stopSet(params: JsonObject, fallback: string): ReadonlySet<string> {
  const items = listParam(params, 'stopwords') ?? [fallback];
  const words = new Set<string>();
  for (const item of items) {
    if (/^_.*_$/.test(item)) for (const word of stopWords(item)) words.add(word);
    else words.add(item);
  }
  return words;
}

function chain(
  name: string,
  params: JsonObject,
  tokenizer: Tokenizer,
  filters: TokenFilter[],
  charFilters: CharFilter[] = [],
): Chain {
  return new Chain(
    name,
    { charFilters, tokenizer, filters },
    intParam(params, 'position_increment_gap', 100),
  );
}

function withStop(name: string, filters: TokenFilter[], words: ReadonlySet<string>): TokenFilter[] {
  return words.size === 0 ? filters : [...filters, stopFilter(`${name}_stop`, words)];
}

/** Analyzers by type. */
export const ANALYZERS: ReadonlyMap<string, AnalyzerFactory> = new Map<string, AnalyzerFactory>([
  [
    'standard',
    (name, params) => {
      const tokenizer = standardTokenizer('standard', intParam(params, 'max_token_length', 255));
      return chain(name, params, tokenizer, withStop(name, [lowercaseFilter()], stopSet(params, '_none_')));
    },
  ],
  ['simple', (name, params) => chain(name, params, TOKENIZERS.get('lowercase')!('lowercase', {}), [])],
  ['whitespace', (name, params) => chain(name, params, TOKENIZERS.get('whitespace')!('whitespace', {}), [])],
  ['keyword', (name, params) => chain(name, params, TOKENIZERS.get('keyword')!('keyword', {}), [])],
  [
    'stop',
    (name, params) =>
      chain(
        name,
        params,
        TOKENIZERS.get('lowercase')!('lowercase', {}),
        withStop(name, [], stopSet(params, '_english_')),
      ),
  ],
  ['pattern', patternAnalyzer],
  ['fingerprint', fingerprintAnalyzer],
  ['cjk', cjkAnalyzer],
  ...Array.from([...MISSING_LANGUAGES, 'chinese', 'snowball'], (language): [string, AnalyzerFactory] => [
    language,
    () => {
      throw illegalArgument(`analyzer [${language}] is not supported`);
    },
  ]),
  ...LANGUAGES.map((language): [string, AnalyzerFactory] => [
    language,
    (name, params) =>
      chain(
        name,
        params,
        languageTokenizer(language),
        languageAnalyzer(language, params, stopSet),
        languageCharFilters(language),
      ),
  ]),
]);

/** Words in lower case without accents, each once and in order, as one term. */
function fingerprintAnalyzer(name: string, params: JsonObject): Chain {
  const filters = [lowercaseFilter(), perTerm('asciifolding', foldAscii)];
  return chain(name, params, standardTokenizer(), [
    ...withStop(name, filters, stopSet(params, '_none_')),
    fingerprintFilter('fingerprint', params),
  ]);
}

/** Pairs of characters for Chinese, Japanese and Korean. */
function cjkAnalyzer(name: string, params: JsonObject): Chain {
  const filters = [perTerm('cjk_width', foldWidth), lowercaseFilter(), cjkBigram('cjk_bigram', {})];
  return chain(name, params, standardTokenizer(), withStop(name, filters, stopSet(params, '_cjk_')));
}

/** Cuts at the matches of a pattern; lowers and drops stop words. */
function patternAnalyzer(name: string, params: JsonObject): Chain {
  const { pattern = null, flags = null } = params;
  const filters = boolParam(params, 'lowercase', true) ? [lowercaseFilter()] : [];
  const tokenizer = patternTokenizer('pattern', { pattern, flags });
  return chain(name, params, tokenizer, withStop(name, filters, stopSet(params, '_none_')));
}
