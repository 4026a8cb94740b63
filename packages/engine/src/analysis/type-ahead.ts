// The analyzers of search_as_you_type: sequences of words of one length, and all beginnings of the sequences of the
// greatest length (Elasticsearch's SearchAsYouTypeFieldMapper).

import { illegalArgument } from '../errors.ts';
import type { Analyzer, Token } from './analyzer.ts';
import { Chain, type TokenFilter } from './chain.ts';

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
    index: extended(index, [sequences(size, true), BEGINNINGS]),
    search: extended(search, [sequences(size, true)]),
  };
  return readings;
}

function extended(base: Analyzer, filters: readonly TokenFilter[]): Chain {
  if (!(base instanceof Chain))
    throw illegalArgument(`analyzer [${base.name}] cannot be used for a field of type [search_as_you_type]`);
  return new Chain(base.name, { ...base, filters: [...base.filters, ...filters] }, base.positionGap);
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

const BEGINNINGS: TokenFilter = {
  name: 'beginnings',
  apply: (tokens) =>
    tokens.flatMap((token) => {
      const characters = [...token.term];
      const lengths = Array.from({ length: Math.min(characters.length, MAX_PREFIX) }, (_, i) => i + 1);
      if (characters.length > MAX_PREFIX) lengths.push(characters.length);
      return lengths.map((length): Token => ({ ...token, term: characters.slice(0, length).join('') }));
    }),
};
