// The filters `synonym` and `synonym_graph`. Their rules pass through the tokenizer and the filters before them, so that they
// are made for each chain.

import { illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Token } from '../../analyzer.ts';
import { Chain, type ChainParts, positionCountOf, setPositionCount, type TokenFilter } from '../../chain.ts';
import type { PartSource } from '../../part-source.ts';
import type { SynonymMap } from './synonym-map.ts';
import { readSynonyms, type SynonymSettings, synonymSettings } from './synonym-rules.ts';

type Apply = (map: SynonymMap, tokens: Token[]) => Token[];

/** Synonyms on top of the words: longer ones reach into the words behind. */
export function synonymFilter(name: string, params: JsonObject, parts: PartSource): TokenFilter {
  return unbound(name, synonymSettings(name, params), parts, stackSynonyms);
}

/** Synonyms as paths beside the words. Queries follow each path; before indexing, `flatten_graph` is needed. */
export function synonymGraphFilter(name: string, params: JsonObject, parts: PartSource): TokenFilter {
  return unbound(name, synonymSettings(name, params), parts, addPaths);
}

function unbound(name: string, settings: SynonymSettings, parts: PartSource, apply: Apply): TokenFilter {
  return {
    name,
    apply: (tokens) => tokens,
    *bind(before) {
      const named = settings.analyzer === undefined ? undefined : parts.builtInAnalyzer(settings.analyzer);
      const analyzer = named ?? new Chain(name, { ...before, filters: filtersOfRules(before) });
      const map = yield* readSynonyms(settings, (text) => analyzer.analyze(text));
      return { name, forSynonyms: 'skipped', apply: (tokens) => (map.isEmpty ? tokens : apply(map, tokens)) };
    },
  };
}

/** The filters before a synonym filter, as its rules meet them. */
function filtersOfRules({ filters = [] }: ChainParts): TokenFilter[] {
  return filters.flatMap((filter) => {
    const { forSynonyms } = filter;
    if (forSynonyms === 'refused')
      throw illegalArgument(`Token filter [${filter.name}] cannot be used to parse synonyms`);
    return forSynonyms === 'skipped' ? [] : [forSynonyms ?? filter];
  });
}

function synonym(term: string, start: number, end: number, position: number, positionLength = 1): Token {
  return { term, start, end, position, positionLength, type: 'SYNONYM' };
}

interface Stacked {
  readonly term: string;
  /** Undefined for a word of a phrase, which ends where the word below it does. */
  readonly end: number | undefined;
  readonly positionLength: number;
}

/** Puts the words of synonyms on the words of the text, one on each from where the match begins. */
function stackSynonyms(map: SynonymMap, tokens: Token[]): Token[] {
  const out: Token[] = [];
  const stacks: Stacked[][] = [];
  const isReplaced: boolean[] = [];
  let position = -1;
  const emit = (slot: number): void => {
    const token = tokens[slot];
    const stack = stacks[slot] ?? [];
    let step = 1;
    if (token !== undefined && isReplaced[slot] !== true) {
      position += token.position - (tokens[slot - 1]?.position ?? -1);
      out.push({ ...token, position });
      step = 0;
    }
    // Words of synonyms that are longer than the text stay at its last word.
    const { start, end } = token ?? tokens.at(-1)!;
    for (const { term, end: own, positionLength } of stack) {
      position += step;
      step = 0;
      out.push(synonym(term, start, token === undefined ? end : (own ?? end), position, positionLength));
    }
  };
  for (let at = 0; at < tokens.length; ) {
    const found = map.longest(tokens, at);
    const length = found?.length ?? 1;
    if (found !== undefined) {
      const { phrases, keepsOriginal } = found.synonyms;
      const end = tokens[at + length - 1]!.end;
      for (const phrase of phrases) {
        for (const [i, term] of phrase.entries()) {
          const alone = phrase.length === 1;
          const positionLength = alone && keepsOriginal ? length : 1;
          (stacks[at + i] ??= []).push({ term, end: alone ? end : undefined, positionLength });
        }
      }
      if (!keepsOriginal) for (let i = 0; i < length; i++) isReplaced[at + i] = true;
    }
    for (let i = 0; i < length; i++) emit(at + i);
    at += length;
  }
  for (let slot = tokens.length; stacks[slot] !== undefined; slot++) emit(slot);
  return setPositionCount(out, Math.max(position + 1, trailing(tokens) + position + 1));
}

/** Empty positions at the end of a text. */
function trailing(tokens: Token[]): number {
  const last = tokens.at(-1);
  return last === undefined ? 0 : Math.max(0, positionCountOf(tokens) - last.position - last.positionLength);
}

/** Adds a path for each synonym; all paths of a match meet again behind it. */
function addPaths(map: SynonymMap, tokens: Token[]): Token[] {
  const out: Token[] = [];
  let last = -1;
  let next = 0;
  for (let at = 0; at < tokens.length; ) {
    const found = map.longest(tokens, at);
    if (found === undefined) {
      const token = tokens[at]!;
      last += token.position - (tokens[at - 1]?.position ?? -1);
      next = last + token.positionLength;
      out.push({ ...token, position: last });
      at++;
      continue;
    }
    const matched = tokens.slice(at, at + found.length);
    const { start } = matched[0]!;
    const { end } = matched.at(-1)!;
    const paths: Token[][] = found.synonyms.phrases.map((phrase) =>
      phrase.map((term) => synonym(term, start, end, 0)),
    );
    // The words of the text come last, or offsets would go backwards.
    if (found.synonyms.keepsOriginal) paths.push(matched.map((token) => ({ ...token })));
    out.push(...placePaths(paths, next));
    last = out.at(-1)!.position;
    next += 1 + paths.reduce((sum, path) => sum + path.length - 1, 0);
    at += found.length;
  }
  return setPositionCount(out, next + trailing(tokens));
}

/** Gives each word of some paths its place: first words first, then the rest of each path. */
function placePaths(paths: readonly Token[][], from: number): Token[] {
  const end = from + 1 + paths.reduce((sum, path) => sum + path.length - 1, 0);
  const rest: Token[] = [];
  let node = from;
  for (const path of paths) {
    for (const [i, token] of path.entries()) {
      token.position = i === 0 ? from : node;
      const to = i === path.length - 1 ? end : (node += 1);
      token.positionLength = to - token.position;
      if (i > 0) rest.push(token);
    }
  }
  return [...paths.map((path) => path[0]!), ...rest];
}
