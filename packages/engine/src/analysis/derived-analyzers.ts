// The analyzers of fields that the engine derives from others. search_as_you_type: sequences of words of one length, and all
// beginnings of the sequences of the greatest length (Elasticsearch's SearchAsYouTypeFieldMapper). Texts with
// `index_prefixes`: the beginnings of words. Texts with `index_phrases`: pairs of adjacent words.

import { illegalArgument } from '../errors.ts';
import type { Analyzer, Token } from './analyzer.ts';
import { Chain, positionCountOf, type TokenFilter } from './chain.ts';

/** Characters of the longest beginning. */
const MAX_PREFIX = 20;

/** How a text is read, when it is stored and when it is searched for. */
export interface Readings {
  readonly index: Analyzer;
  readonly search: Analyzer;
}

/** The analyzers of the sub-fields, by their names, for sequences of up to `size` words. */
export function typeAheadAnalyzers(
  index: Analyzer,
  search: Analyzer,
  size: number,
): Record<string, Readings> {
  const readings: Record<string, Readings> = {};
  for (let n = 2; n <= size; n++)
    readings[`_${n}gram`] = {
      index: extended(index, [sequences(n, false)]),
      search: extended(search, [sequences(n, false)]),
    };
  readings['_index_prefix'] = {
    index: extended(index, [sequences(size, true), beginnings(1, MAX_PREFIX, true)]),
    search: extended(search, [sequences(size, true)]),
  };
  return readings;
}

/** The analyzers for the beginnings of words, of `min` to `max` characters. */
export function prefixAnalyzers(index: Analyzer, search: Analyzer, min: number, max: number): Readings {
  return { index: extended(index, [beginnings(min, max, false)]), search };
}

/** The analyzers for pairs of adjacent words. Only phrases search them: they join the words themselves, with `pairOf`. */
export function pairAnalyzers(index: Analyzer, search: Analyzer): Readings {
  return { index: extended(index, [PAIRS]), search };
}

/** The term of two adjacent words. */
export function pairOf(first: string, second: string): string {
  return `${first} ${second}`;
}

function extended(base: Analyzer, filters: readonly TokenFilter[]): Chain {
  if (!(base instanceof Chain))
    throw illegalArgument(
      `analyzer [${base.name}] cannot be used for a field with [index_prefixes], [index_phrases] or the type [search_as_you_type]`,
    );
  const parts = { ...base, filters: [...base.filters, ...filters], isCustom: false };
  return new Chain(base.name, parts, base.positionGap);
}

/** Joins each word with the n - 1 behind it; the last ones with fewer, where `endsShort`. */
function sequences(n: number, endsShort: boolean): TokenFilter {
  return {
    name: 'sequences',
    apply(tokens) {
      const out: Token[] = [];
      const last = endsShort ? tokens.length : tokens.length - n + 1;
      for (let i = 0; i < last; i++) {
        const own = tokens.slice(i, i + n);
        const term = own.map((token) => token.term).join(' ');
        out.push({ ...own[0]!, term, end: own.at(-1)!.end, positionLength: 1 });
      }
      return out;
    },
  };
}

/** All beginnings of words, of `min` to `max` characters; longer words whole, too, where `withWhole`. */
function beginnings(min: number, max: number, withWhole: boolean): TokenFilter {
  return {
    name: 'beginnings',
    apply: (tokens) =>
      tokens.flatMap((token) => {
        const characters = [...token.term];
        const lengths: number[] = [];
        for (let n = min; n <= Math.min(characters.length, max); n++) lengths.push(n);
        if (withWhole && characters.length > max) lengths.push(characters.length);
        return lengths.map((length): Token => ({ ...token, term: characters.slice(0, length).join('') }));
      }),
  };
}

/** Each word with those at the next position; with `_` where that position is empty, also behind the last word. */
const PAIRS: TokenFilter = {
  name: 'pairs',
  apply(tokens) {
    const byPosition = Map.groupBy(tokens, ({ position }) => position);
    const last = positionCountOf(tokens) - 1;
    return tokens.flatMap((token): Token[] => {
      if (token.position >= last) return [];
      const next = byPosition.get(token.position + 1);
      if (next === undefined) return [{ ...token, term: pairOf(token.term, '_'), positionLength: 1 }];
      return next.map(({ term, end }) => ({
        ...token,
        term: pairOf(token.term, term),
        end,
        positionLength: 1,
      }));
    });
  },
};
