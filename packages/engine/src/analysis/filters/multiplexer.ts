// multiplexer: several chains of filters over each token, side by side.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Steps } from '../../turn.ts';
import type { Token } from '../analyzer.ts';
import {
  bindFilters,
  type ChainParts,
  positionCountOf,
  setPositionCount,
  type TokenFilter,
} from '../chain.ts';
import { boolParam, listParam } from '../params.ts';
import type { PartSource } from '../part-source.ts';

export function multiplexer(name: string, params: JsonObject, parts: PartSource): TokenFilter {
  const keepsOriginal = boolParam(params, 'preserve_original', true);
  const lists = (listParam(params, 'filters') ?? []).map((list) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => {
        const filter = parts.filter(item);
        if (filter !== undefined) return filter;
        throw illegalArgument(
          name.startsWith('__anonymous__')
            ? `failed to find global filter under [${item}]`
            : `Multiplexing filter [${name}] refers to undefined tokenfilter [${item}]`,
        );
      }),
  );
  const chains = keepsOriginal ? [[], ...lists] : lists;
  return {
    name,
    forSynonyms: 'refused',
    apply: (tokens) => tokens,
    bind: (before) => bound(name, before, chains),
  };
}

function* bound(
  name: string,
  before: ChainParts,
  lists: readonly (readonly TokenFilter[])[],
): Steps<TokenFilter> {
  const first = before.filters ?? [];
  const chains: TokenFilter[][] = [];
  for (const list of lists) {
    const filters = yield* bindFilters({ ...before, filters: [...first, ...list] });
    chains.push(filters.slice(first.length));
  }
  return {
    name,
    forSynonyms: 'refused',
    attributes: chains.flatMap((chain) => chain.flatMap((filter) => filter.attributes ?? [])),
    apply(tokens) {
      const out: Token[] = [];
      const seen = new Set<string>();
      let position = -1;
      let last = -1;
      let gap = 0;
      for (const token of tokens) {
        // Tokens that all chains drop leave a gap.
        gap += token.position - last;
        last = token.position;
        for (const chain of chains) {
          let made: Token[] = [{ ...token, position: 0 }];
          for (const filter of chain) made = filter.apply(made, token.end);
          for (const [i, one] of made.entries()) {
            const own = i === 0 ? gap : one.position - made[i - 1]!.position;
            gap = 0;
            if (own > 0) seen.clear();
            position += own;
            if (seen.has(one.term)) continue;
            seen.add(one.term);
            out.push({ ...one, position });
          }
        }
      }
      const end = tokens.at(-1);
      const behind = end === undefined ? 0 : positionCountOf(tokens) - end.position - end.positionLength;
      return setPositionCount(out, positionCountOf(out) + Math.max(0, behind));
    },
  };
}
