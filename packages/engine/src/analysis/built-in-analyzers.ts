// The analyzers that exist without configuration, by name, as in OpenSearch. Each takes the settings of
// a configured analyzer of its type.

import type { JsonObject } from '../json/value.ts';
import { Chain, type CharFilter, type TokenFilter, type Tokenizer } from './chain.ts';
import { cjkBigram, foldWidth } from './filters/cjk-filters.ts';
import { perTerm, stemFilter } from './filters/term-filter.ts';
import { fingerprintFilter } from './filters/whole-text.ts';
import { LANGUAGES, languageAnalyzer, languageCharFilters, languageTokenizer } from './language-analyzers.ts';
import { boolParam, intParam, listParam, textParam } from './params.ts';
import { snowballStemmer } from './stem/stemmers.ts';
import { stopWords } from './stem/stopwords.ts';
import { lowercaseFilter, possessive, stopFilter } from './token-filters.ts';
import { patternTokenizer } from './tokenizers/pattern-tokenizers.ts';
import { standardTokenizer, TOKENIZERS } from './tokenizers.ts';
import { unsupportedNames, unsupportedPart } from './unsupported-parts.ts';
import { foldAscii } from './words/ascii-folding.ts';

type AnalyzerFactory = (name: string, params: JsonObject) => Chain;

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
  [
    'chinese',
    (name, params) =>
      chain(name, params, standardTokenizer(), [
        lowercaseFilter(),
        stopFilter(`${name}_stop`, stopWords('_english_')),
      ]),
  ],
  ['snowball', snowballAnalyzer],
  ...unsupportedNames('analyzer').map((language): [string, AnalyzerFactory] => [
    language,
    () => {
      throw unsupportedPart('analyzer', language)!;
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

/** Languages whose stop words the analyzer `snowball` leaves out without being told to. */
const SNOWBALL_STOP_LISTS: Readonly<Record<string, string>> = {
  dutch: '_dutch_',
  english: '_english_',
  french: '_french_',
  german: '_german_',
  german2: '_german_',
};

/** Words and stems of a language of Snowball. */
function snowballAnalyzer(name: string, params: JsonObject): Chain {
  const given = textParam(params, 'language') ?? 'English';
  const language = given.toLowerCase();
  const filters = language === 'english' || language === 'porter' ? [perTerm('possessive', possessive)] : [];
  const words = stopSet(params, SNOWBALL_STOP_LISTS[language] ?? '_none_');
  return chain(name, params, standardTokenizer(), [
    ...withStop(name, [...filters, lowercaseFilter()], words),
    stemFilter('snowball', snowballStemmer(given)),
  ]);
}

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
