// Tokenizers by type; each entry creates one from its settings.

import { illegalArgument } from '../errors.ts';
import { bytesOf } from '../json/bytes.ts';
import type { JsonObject } from '../json/value.ts';
import type { Steps } from '../turn.ts';
import type { Token } from './analyzer.ts';
import { type Tokenizer, tokenizerInSteps } from './chain.ts';
import { intParam, listParam, textParam } from './params.ts';
import { classicTokenizer } from './tokenizers/classic-tokenizer.ts';
import { pathTokenizer } from './tokenizers/path-tokenizer.ts';
import { patternTokenizer, simplePattern, simplePatternSplit } from './tokenizers/pattern-tokenizers.ts';
import { thaiTokenizer } from './tokenizers/thai-tokenizer.ts';
import { urlEmailTokenizer } from './tokenizers/url-email-tokenizer.ts';
import { lowerCase } from './words/lower-case.ts';
import { WORD_TYPES, WordCutter } from './words/word-cutter.ts';

type TokenizerFactory = (name: string, params: JsonObject) => Tokenizer;

function token(term: string, start: number, end: number, position: number, type = 'word'): Token {
  return { term, start, end, position, positionLength: 1, type };
}

/** Words cut between two yields. */
const WORDS_AT_ONCE = 2_048;

/** Lucene's StandardTokenizer over text: offsets are UTF-16 units. */
export function standardTokenizer(name = 'standard', maxTokenLength = 255): Tokenizer {
  const steps = function* (text: string, accept?: (token: Token) => boolean): Steps<Token[]> {
    const bytes = bytesOf(text);
    const isAscii = bytes.length === text.length;
    const words = new WordCutter(maxTokenLength);
    words.reset(bytes, 0, bytes.length);
    const tokens: Token[] = [];
    let at = 0;
    let unit = 0;
    const unitAt = (position: number): number => {
      if (isAscii) return position;
      for (; at < position; at++) {
        const c = bytes[at]!;
        if ((c & 0xc0) !== 0x80) unit += c >= 0xf0 ? 2 : 1;
      }
      return unit;
    };
    for (let count = 0; words.next(); count++) {
      if (count % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) yield;
      const start = unitAt(words.start);
      const end = unitAt(words.stop);
      const word = token(text.slice(start, end), start, end, count, WORD_TYPES[words.type]);
      if (accept === undefined || accept(word)) tokens.push(word);
    }
    return tokens;
  };
  return { ...tokenizerInSteps(name, steps), cutter: () => new WordCutter(maxTokenLength) };
}

/** Runs of code points that `keep` accepts, cut at `max` UTF-16 units. */
function runs(
  name: string,
  keep: RegExp,
  max: number,
  change: (term: string) => string = (term) => term,
): Tokenizer {
  return {
    name,
    tokenize(text) {
      const tokens: Token[] = [];
      let from = -1;
      let at = 0;
      const flush = (): void => {
        if (from >= 0) tokens.push(token(change(text.slice(from, at)), from, at, tokens.length));
        from = -1;
      };
      for (const c of text) {
        if (!keep.test(c)) flush();
        else if (from < 0) from = at;
        else if (at - from + c.length > max) {
          flush();
          from = at;
        }
        at += c.length;
      }
      flush();
      return tokens;
    },
  };
}

const CHAR_CLASSES: Readonly<Record<string, RegExp>> = {
  letter: /^\p{L}$/u,
  digit: /^\p{Nd}$/u,
  whitespace: /^[\p{Z}\s]$/u,
  punctuation: /^\p{P}$/u,
  symbol: /^\p{S}$/u,
};

function gramClasses(params: JsonObject): (c: string) => boolean {
  const names = listParam(params, 'token_chars') ?? [];
  const custom = new Set(textParam(params, 'custom_token_chars') ?? '');
  for (const name of names) {
    if (name !== 'custom' && !Object.hasOwn(CHAR_CLASSES, name)) {
      throw illegalArgument(
        `Unknown token type: '${name.toLowerCase()}', must be one of [letter, digit, whitespace, punctuation, symbol, custom]`,
      );
    }
  }
  if (names.length === 0) return () => true;
  return (c) => custom.has(c) || names.some((name) => CHAR_CLASSES[name]?.test(c));
}

function gramTokenizer(name: string, params: JsonObject, edge: boolean): Tokenizer {
  const min = intParam(params, 'min_gram', 1);
  const max = intParam(params, 'max_gram', 2);
  if (min < 1) throw illegalArgument('minGram must be greater than zero');
  if (min > max) throw illegalArgument('minGram must not be greater than maxGram');
  const keep = gramClasses(params);
  return tokenizerInSteps(name, function* (text) {
    const tokens: Token[] = [];
    const points = Array.from(text);
    const starts: number[] = [];
    let unit = 0;
    for (const c of points) {
      starts.push(unit);
      unit += c.length;
    }
    starts.push(unit);
    for (let from = 0; from < points.length; ) {
      if (!keep(points[from]!)) {
        from++;
        continue;
      }
      let to = from;
      while (to < points.length && keep(points[to]!)) to++;
      for (let i = from; i < (edge ? from + 1 : to); i++) {
        yield;
        for (let length = min; length <= max && i + length <= to; length++) {
          const [start, end] = [starts[i]!, starts[i + length]!];
          tokens.push(token(text.slice(start, end), start, end, tokens.length));
        }
      }
      from = to;
    }
    return tokens;
  });
}

function keywordTokenizer(name: string): Tokenizer {
  return { name, tokenize: (text) => [token(text, 0, text.length, 0)] };
}

const CONTROLS: Readonly<Record<string, string>> = {
  '\\': '\\',
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
};

function charGroup(name: string, params: JsonObject): Tokenizer {
  const chars = new Set<string>();
  const classes: RegExp[] = [];
  for (const item of listParam(params, 'tokenize_on_chars') ?? []) {
    if (item === '') throw illegalArgument('[tokenize_on_chars] cannot contain empty characters');
    if (item.length === 1) chars.add(item);
    else if (item.startsWith('\\')) chars.add(escapedCharacter(item));
    else if (Object.hasOwn(CHAR_CLASSES, item)) classes.push(CHAR_CLASSES[item]!);
    else throw illegalArgument(`Invalid escaped char in [${item}]`);
  }
  const max = intParam(params, 'max_token_length', 255);
  if (max < 1 || max > 1024 * 1024)
    throw illegalArgument(`maxTokenLen must be greater than 0 and less than 1048576 passed: ${max}`);
  const keep = { test: (c: string) => !chars.has(c) && !classes.some((one) => one.test(c)) } as RegExp;
  return { ...runs(name, keep, max), lacksFrequencies: true };
}

/** A character behind a backslash. */
function escapedCharacter(item: string): string {
  const [, kind = ''] = item;
  if (Object.hasOwn(CONTROLS, kind)) return CONTROLS[kind]!;
  if (kind !== 'u') throw illegalArgument(`Invalid escaped char ${kind} in [${item}]`);
  if (!/^[0-9a-fA-F]{4,}$/.test(item.slice(2))) throw illegalArgument(`Invalid escaped char in [${item}]`);
  return String.fromCharCode(Number.parseInt(item.slice(2, 6), 16));
}

// Java's Character.isWhitespace: no-break spaces are none, the separators U+001C to U+001F are.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const NOT_SPACE = /^[^\p{Zs}\p{Zl}\p{Zp}\t-\r\x1c-\x1f]$|^[\xa0\u2007\u202f]$/u;

/** Tokenizers by type. */
export const TOKENIZERS: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['standard', (name, params) => standardTokenizer(name, maxLength(params))],
  ['whitespace', (name, params) => runs(name, NOT_SPACE, maxLength(params))],
  ['letter', (name, params) => runs(name, /^\p{L}$/u, maxLength(params))],
  ['lowercase', (name, params) => runs(name, /^\p{L}$/u, maxLength(params), lowerCase)],
  ['keyword', (name) => keywordTokenizer(name)],
  ['ngram', (name, params) => gramTokenizer(name, params, false)],
  ['nGram', (name, params) => gramTokenizer(name, params, false)],
  ['edge_ngram', (name, params) => gramTokenizer(name, params, true)],
  ['edgeNGram', (name, params) => gramTokenizer(name, params, true)],
  ['path_hierarchy', pathTokenizer],
  ['PathHierarchy', pathTokenizer],
  ['pattern', patternTokenizer],
  ['simple_pattern', simplePattern],
  ['simple_pattern_split', simplePatternSplit],
  [
    'uax_url_email',
    (name, params) => {
      const max = maxLength(params);
      return urlEmailTokenizer(name, standardTokenizer(name, max), max);
    },
  ],
  ['thai', (name) => thaiTokenizer(name)],
  ['char_group', charGroup],
  ['classic', (name, params) => classicTokenizer(name, maxLength(params))],
]);

function maxLength(params: JsonObject): number {
  const max = intParam(params, 'max_token_length', 255);
  if (max < 1 || max > 1024 * 1024) {
    throw illegalArgument(`maxTokenLength must be greater than 0 and less than 1048576 passed: ${max}`);
  }
  return max;
}
