// Tokenizers that cut texts with patterns: those of Java, with groups, and those of Lucene, which take the longest match.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Automaton, DEAD } from '../../patterns/automaton/automaton.ts';
import { REGEXP_FLAGS, regexpAutomaton } from '../../patterns/automaton/regexp.ts';
import { patternFlags } from '../../patterns/java/parse-pattern.ts';
import { Pattern } from '../../patterns/java/pattern.ts';
import type { Steps } from '../../turn.ts';
import type { Token } from '../analyzer.ts';
import { type Tokenizer, tokenizerInSteps } from '../chain.ts';
import { intParam, textParam } from '../params.ts';

/** What pattern tokenizers do without settings: they cut at what is no word character. */
const NO_WORD = '\\W+';
/** States that a pattern of Lucene may have. */
const MAX_STATES = 10_000;
/** Characters that a tokenizer may read, for each of its text. */
const MAX_READS = 200;

function word(text: string, start: number, end: number, position: number): Token {
  return { term: text.slice(start, end), start, end, position, positionLength: 1, type: 'word' };
}

/** Cuts between the matches of a pattern; with a group from 0 on, takes that group of each match. */
export function patternTokenizer(name: string, params: JsonObject): Tokenizer {
  const source = textParam(params, 'pattern') ?? NO_WORD;
  const pattern = new Pattern(source, patternFlags(textParam(params, 'flags')));
  const group = intParam(params, 'group', -1);
  if (group > pattern.groups)
    throw illegalArgument(`invalid group specified: pattern only has: ${pattern.groups} capturing groups`);
  return tokenizerInSteps(name, (text) =>
    group < 0 ? between(pattern, text) : ofGroup(pattern, group, text),
  );
}

function* between(pattern: Pattern, text: string): Steps<Token[]> {
  const tokens: Token[] = [];
  let start = 0;
  for (const match of pattern.matches(text)) {
    yield;
    if (match[0]! > start) tokens.push(word(text, start, match[0]!, tokens.length));
    start = match[1]!;
  }
  if (start < text.length) tokens.push(word(text, start, text.length, tokens.length));
  return tokens;
}

function* ofGroup(pattern: Pattern, group: number, text: string): Steps<Token[]> {
  const tokens: Token[] = [];
  for (const match of pattern.matches(text)) {
    yield;
    const start = match[group * 2]!;
    const end = match[group * 2 + 1]!;
    if (start < end) tokens.push(word(text, start, end, tokens.length));
  }
  return tokens;
}

/** Takes the matches of a pattern of Lucene, each as long as possible. */
export function simplePattern(name: string, params: JsonObject): Tokenizer {
  const find = longestMatches(name, params);
  return {
    name,
    tokenize: (text) => find(text).map(([start, end], position) => word(text, start, end, position)),
  };
}

/** Cuts between the matches of a pattern of Lucene. */
export function simplePatternSplit(name: string, params: JsonObject): Tokenizer {
  const find = longestMatches(name, params);
  return {
    name,
    tokenize(text) {
      const tokens: Token[] = [];
      let start = 0;
      for (const [from, to] of [...find(text), [text.length, text.length] as const]) {
        if (from > start) tokens.push(word(text, start, from, tokens.length));
        start = to;
      }
      return tokens;
    },
  };
}

type Matches = (text: string) => (readonly [number, number])[];

function longestMatches(name: string, params: JsonObject): Matches {
  const source = textParam(params, 'pattern') ?? '';
  const automaton: Automaton = regexpAutomaton(source, REGEXP_FLAGS['ALL']!, false, MAX_STATES);
  return (text) => {
    const found: [number, number][] = [];
    let reads = 0;
    for (let at = 0; at < text.length; ) {
      let state = automaton.start;
      let end = at;
      for (let i = at; i < text.length && state !== DEAD; ) {
        const code = text.codePointAt(i)!;
        state = automaton.step(state, code);
        i += code > 0xffff ? 2 : 1;
        if (state !== DEAD && automaton.accepts(state) >= 0) end = i;
        if (++reads > MAX_READS * (text.length + 1_000)) throw tooLong(name, text);
      }
      if (end > at) {
        found.push([at, end]);
        at = end;
      } else at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    }
    return found;
  };
}

function tooLong(name: string, text: string): Error {
  return illegalArgument(
    `The pattern of tokenizer [${name}] takes too many steps over a text of ${text.length} characters. Use a simpler pattern, or shorter texts.`,
  );
}
