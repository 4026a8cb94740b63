// Token filters by type; each entry creates one from its settings. Filters of single terms are functions
// of the term; the others work on the list of tokens.

import { illegalArgument } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { Token } from './analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from './chain.ts';
import { cjkBigram, foldWidth } from './filters/cjk-filters.ts';
import { commonGrams } from './filters/common-grams.ts';
import { concatenateGraph } from './filters/concatenate-graph.ts';
import { dictionaryDecompounder } from './filters/dictionary-decompounder.ts';
import { flattenGraph } from './filters/flatten-graph.ts';
import { keywordMarker, keywordRepeat, stemmerOverride } from './filters/keyword-filters.ts';
import { multiplexer } from './filters/multiplexer.ts';
import { wordDelimiter } from './filters/parts/word-delimiter.ts';
import { wordDelimiterGraph } from './filters/parts/word-delimiter-graph.ts';
import { patternCapture, patternReplace } from './filters/pattern-filters.ts';
import { synonymFilter, synonymGraphFilter } from './filters/synonyms/synonym-filter.ts';
import { perTerm, stemFilter } from './filters/term-filter.ts';
import {
  classicFilter,
  delimitedPayload,
  delimitedTermFrequency,
  keepTypes,
  removeDuplicates,
  typeAsPayload,
} from './filters/token-details.ts';
import { fingerprintFilter, minHash } from './filters/whole-text.ts';
import { caumanns } from './languages/caumanns.ts';
import { NORMALIZATIONS, normalization } from './languages/normalizations.ts';
import { letterChange } from './languages/suffix-rules.ts';
import { boolParam, intParam, listParam, refuseFile, textParam } from './params.ts';
import type { PartSource } from './part-source.ts';
import { snowballStemmer, stemmerFor } from './stem/stemmers.ts';
import { stopWords } from './stem/stopwords.ts';
import { foldAscii } from './words/ascii-folding.ts';
import { lowerCase, upperCase } from './words/lower-case.ts';

type FilterFactory = (name: string, params: JsonObject, parts: PartSource) => TokenFilter;

/** Lower case; `language` greek, irish and turkish have special forms, as in OpenSearch. */
export function lowercaseFilter(name = 'lowercase', language?: string): TokenFilter {
  if (language === undefined) return { ...perTerm(name, lowerCase), lowercase: true };
  if (language === 'turkish') return perTerm(name, (term) => lowerCase(term.replaceAll('I', 'ı')));
  if (language === 'greek') return perTerm(name, (term) => lowerGreek(term));
  if (language === 'irish')
    return perTerm(name, (term) => lowerCase(term.replace(/^([nt])([AEIOUÁÉÍÓÚ])/, '$1-$2')));
  throw illegalArgument(`language [${language}] not support for lower case`);
}

const GREEK_LETTERS = letterChange('άΆέΈήΉίΊΐϊΪόΌύΎΰϋΫώΏς', 'ααεεηηιιιιιοουυυυυωωσ');

/** Greek lower case: without accents, final sigma as sigma. Letters of other scripts keep their accents. */
function lowerGreek(term: string): string {
  return lowerCase(GREEK_LETTERS(term));
}

/** Drops stop words. `words` are in the case in which the filter sees them. */
export function stopFilter(name: string, words: ReadonlySet<string>, ignoreCase = false): TokenFilter {
  return perTerm(name, (term) => (words.has(ignoreCase ? lowerCase(term) : term) ? undefined : term));
}

function stopFactory(name: string, params: JsonObject): TokenFilter {
  const given = listParam(params, 'stopwords');
  // The default list is in lower case, and only finds such words, whatever the setting.
  const ignoreCase = given !== undefined && boolParam(params, 'ignore_case', false);
  const words = new Set<string>();
  for (const item of given ?? ['_english_']) {
    if (/^_.*_$/.test(item)) for (const word of stopWords(item)) words.add(word);
    else words.add(ignoreCase ? lowerCase(item) : item);
  }
  if (textParam(params, 'stopwords_path') !== undefined) {
    throw illegalArgument(`[stopwords_path] of filter [${name}] is not supported: give [stopwords]`);
  }
  const filter = stopFilter(name, words, ignoreCase);
  return boolParam(params, 'remove_trailing', true) ? filter : keepTrailing(filter);
}

/** A stop filter that leaves the last word of a text, which may be the beginning of a longer one. Stemmers leave it, too. */
function keepTrailing({ name, apply }: TokenFilter): TokenFilter {
  return {
    name,
    attributes: ['keyword'],
    apply(tokens, end) {
      const last = tokens.at(-1);
      const kept = apply(tokens, end);
      if (last === undefined || last.end !== end || kept.at(-1) === last) return kept;
      return setPositionCount([...kept, { ...last, keyword: true }], positionCountOf(kept));
    },
  };
}

function gramFilter(name: string, params: JsonObject, edge: boolean): TokenFilter {
  const min = intParam(params, 'min_gram', 1);
  // A filter by its name alone, without a definition, makes the shortest edges.
  const max = intParam(params, 'max_gram', edge && params['type'] === undefined ? 1 : 2);
  const keepOriginal = boolParam(params, 'preserve_original', false);
  const back = textParam(params, 'side') === 'back';
  if (min < 1) throw illegalArgument('minGram must be greater than zero');
  if (min > max) throw illegalArgument('minGram must not be greater than maxGram');
  return {
    name,
    forSynonyms: 'refused',
    apply(tokens) {
      const out: Token[] = [];
      for (const token of tokens) {
        const points = Array.from(token.term);
        const count = points.length;
        if (count < min && keepOriginal) out.push(token);
        const starts = edge ? 1 : count;
        for (let i = 0; i < starts; i++) {
          for (let length = min; length <= max && i + length <= count; length++) {
            const term = back ? points.slice(count - length) : points.slice(i, i + length);
            out.push({ ...token, term: term.join('') });
          }
        }
        if (count > max && keepOriginal) out.push(token);
      }
      return setPositionCount(out, positionCountOf(tokens));
    },
  };
}

function shingleFilter(name: string, params: JsonObject): TokenFilter {
  const min = intParam(params, 'min_shingle_size', 2);
  const max = intParam(params, 'max_shingle_size', 2);
  const unigrams = boolParam(params, 'output_unigrams', true);
  const unigramsIfNone = boolParam(params, 'output_unigrams_if_no_shingles', false);
  const separator = textParam(params, 'token_separator') ?? ' ';
  const filler = textParam(params, 'filler_token') ?? '_';
  if (min < 2 || max < min)
    throw illegalArgument('Min shingle size must be >= 2 and Max shingle size must be >= min shingle size');
  return {
    name,
    forSynonyms: 'refused',
    disablesGraph: unigrams || min !== max,
    apply(tokens, textEnd) {
      // One slot per position; gaps get the filler token.
      const slots: (Token | undefined)[] = [];
      for (const token of tokens) slots[token.position] ??= token;
      const out: Token[] = [];
      const single = unigrams || (unigramsIfNone && tokens.length < min);
      slots.length = positionCountOf(tokens);
      const last = tokens.at(-1);
      const gapAtEnd = slots.length - (last === undefined ? 0 : last.position + last.positionLength);
      // A place where nothing but gaps begins has no position.
      let position = 0;
      for (let i = 0; i < slots.length; i++) {
        const own = slots[i];
        const count = out.length;
        if (single && own !== undefined) out.push({ ...own, position });
        for (let size = min; size <= max && i + size <= slots.length; size++) {
          const part = Array.from({ length: size }, (_, k) => slots[i + k]);
          const first = part.find((token) => token !== undefined);
          if (first === undefined) continue;
          // A filler ends where the next word begins, or with the text.
          const end =
            part.at(-1)?.end ?? slots.slice(i + size).find((token) => token !== undefined)?.start ?? textEnd;
          const term = part.map((token) => token?.term ?? filler).join(separator);
          const positionLength = unigrams ? size : size - min + 1;
          out.push({ ...first, term, end, position, positionLength, type: 'shingle' });
        }
        if (out.length > count) position++;
      }
      return setPositionCount(out, position + gapAtEnd);
    },
  };
}

function uniqueFilter(name: string, params: JsonObject): TokenFilter {
  const same = boolParam(params, 'only_on_same_position', false);
  return {
    name,
    apply(tokens) {
      const seen = new Set<string>();
      const kept: Token[] = [];
      // The step to a dropped token is lost: what follows moves up.
      let lost = 0;
      let before = -1;
      for (const token of tokens) {
        const step = token.position - before;
        before = token.position;
        const key = same ? `${token.position} ${token.term}` : token.term;
        if (seen.has(key)) lost += step;
        else {
          seen.add(key);
          kept.push(lost === 0 ? token : { ...token, position: token.position - lost });
        }
      }
      return setPositionCount(kept, positionCountOf(tokens) - lost);
    },
  };
}

/** Removes elided articles such as `l'` and `d'`. */
export function elisionFilter(name: string, articles: ReadonlySet<string>, ignoreCase = true): TokenFilter {
  return perTerm(name, (term) => {
    const at = term.search(/['\u2019]/);
    if (at <= 0) return term;
    const article = term.slice(0, at);
    return articles.has(ignoreCase ? lowerCase(article) : article) ? term.slice(at + 1) : term;
  });
}

const FRENCH_ARTICLES = ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu'];

function limitFilter(name: string, params: JsonObject): TokenFilter {
  const max = intParam(params, 'max_token_count', 1);
  return { name, apply: (tokens) => tokens.slice(0, max) };
}

function keepFilter(name: string, params: JsonObject): TokenFilter {
  refuseFile(name, params, 'keep_words_path', 'keep_words');
  const words = listParam(params, 'keep_words');
  if (words === undefined)
    throw illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured');
  const lower = boolParam(params, 'keep_words_case', false);
  const set = new Set(lower ? words.map(lowerCase) : words);
  return perTerm(name, (term) => (set.has(lower ? lowerCase(term) : term) ? term : undefined));
}

function foldingFactory(name: string, params: JsonObject): TokenFilter {
  if (!boolParam(params, 'preserve_original', false)) return perTerm(name, foldAscii);
  return {
    name,
    forSynonyms: perTerm(name, foldAscii),
    apply: (tokens) =>
      tokens.flatMap((token) => {
        const term = foldAscii(token.term);
        return term === token.term ? [token] : [{ ...token, term }, token];
      }),
  };
}

/** Removes the English possessive 's. */
export function possessive(term: string): string {
  return /['\u2019\uff07][sS]$/.test(term) ? term.slice(0, -2) : term;
}

function lengthFilter(name: string, params: JsonObject): TokenFilter {
  const min = intParam(params, 'min', 0);
  const max = intParam(params, 'max', 2147483647);
  return perTerm(name, (term) => (term.length >= min && term.length <= max ? term : undefined));
}

function truncateFilter(name: string, params: JsonObject): TokenFilter {
  const length = intParam(params, 'length', 10);
  if (length < 1) throw illegalArgument(`length parameter must be a positive number: ${length}`);
  return stemFilter(name, (term) => (term.length > length ? term.slice(0, length) : term));
}

/** Token filters by type. */
export const FILTERS: ReadonlyMap<string, FilterFactory> = new Map<string, FilterFactory>([
  ['lowercase', (name, params) => lowercaseFilter(name, textParam(params, 'language')?.toLowerCase())],
  ['uppercase', (name) => perTerm(name, upperCase)],
  ['asciifolding', foldingFactory],
  ['stop', stopFactory],
  [
    'stemmer',
    (name, params) =>
      stemFilter(name, stemmerFor(textParam(params, 'language') ?? textParam(params, 'name') ?? 'porter')),
  ],
  [
    'snowball',
    (name, params) => stemFilter(name, snowballStemmer(textParam(params, 'language') ?? 'English')),
  ],
  ...['arabic', 'brazilian', 'czech', 'persian', 'porter'].map((language): [string, FilterFactory] => [
    `${language}_stem`,
    (name) => stemFilter(name, stemmerFor(language)),
  ]),
  ...['dutch', 'french', 'russian'].map((language): [string, FilterFactory] => [
    `${language}_stem`,
    (name) => stemFilter(name, snowballStemmer(language)),
  ]),
  ['german_stem', (name) => stemFilter(name, caumanns)],
  ['edge_ngram', (name, params) => gramFilter(name, params, true)],
  ['edgeNGram', (name, params) => gramFilter(name, params, true)],
  ['ngram', (name, params) => gramFilter(name, params, false)],
  ['nGram', (name, params) => gramFilter(name, params, false)],
  ['trim', (name) => perTerm(name, (term) => term.trim())],
  ['length', lengthFilter],
  ['unique', uniqueFilter],
  ['truncate', truncateFilter],
  ['reverse', (name) => perTerm(name, (term) => Array.from(term).reverse().join(''))],
  ['shingle', shingleFilter],
  [
    'elision',
    (name, params) =>
      elisionFilter(
        name,
        new Set(listParam(params, 'articles') ?? FRENCH_ARTICLES),
        boolParam(params, 'articles_case', true),
      ),
  ],
  ['limit', limitFilter],
  ['keep', keepFilter],
  ['apostrophe', (name) => perTerm(name, (term) => term.split(/['\u2019]/)[0])],
  ...NORMALIZATIONS.map((type): [string, FilterFactory] => [type, (name) => normalization(type, name)]),
  ['decimal_digit', (name) => perTerm(name, decimalDigits)],
  ['keyword_marker', keywordMarker],
  ['keyword_repeat', keywordRepeat],
  ['stemmer_override', stemmerOverride],
  ['cjk_width', (name) => perTerm(name, foldWidth)],
  ['cjk_bigram', cjkBigram],
  ['common_grams', commonGrams],
  ['dictionary_decompounder', dictionaryDecompounder],
  ['fingerprint', fingerprintFilter],
  ['min_hash', minHash],
  ['remove_duplicates', removeDuplicates],
  ['keep_types', keepTypes],
  ['classic', classicFilter],
  ['delimited_payload', delimitedPayload],
  ['delimited_term_freq', delimitedTermFrequency],
  ['type_as_payload', typeAsPayload],
  ['multiplexer', multiplexer],
  ['concatenate_graph', concatenateGraph],
  ['word_delimiter', wordDelimiter],
  ['word_delimiter_graph', wordDelimiterGraph],
  ['pattern_replace', patternReplace],
  ['pattern_capture', patternCapture],
  ['synonym', synonymFilter],
  ['synonym_graph', synonymGraphFilter],
  ['flatten_graph', flattenGraph],
]);

/** Filters that cannot be used by their name alone. */
export const CONFIGURED_FILTERS: ReadonlySet<string> = new Set([
  'dictionary_decompounder',
  'keep',
  'keep_types',
  'keyword_marker',
  'pattern_capture',
  'pattern_replace',
  'stemmer_override',
  'synonym',
  'synonym_graph',
]);

/** Every decimal digit as 0 to 9. */
export function decimalDigits(term: string): string {
  return term.replace(/[^\0-\x7f]/gu, (c) => {
    if (!/^\p{Nd}$/u.test(c)) return c;
    // Digits come in runs of ten that begin at a zero: count the digits before this one in its run.
    let value = 0;
    for (let code = c.codePointAt(0)! - 1; value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code)); code--)
      value++;
    return String(value % 10);
  });
}
