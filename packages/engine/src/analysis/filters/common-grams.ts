// Joins common words with their neighbours: `the_quick` beside `the` and `quick`. With `query_mode`, the pairs stand for the
// words that they hold.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, listParam, refuseFile } from '../params.ts';
import { lowerCase } from '../words/lower-case.ts';

export function commonGrams(name: string, params: JsonObject): TokenFilter {
  const configured = params['type'] !== undefined;
  refuseFile(name, params, 'common_words_path', 'common_words');
  const words = listParam(params, 'common_words') ?? [];
  if (configured && words.length === 0)
    throw illegalArgument(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    );
  const ignoreCase = boolParam(params, 'ignore_case', false);
  const queryMode = boolParam(params, 'query_mode', false);
  const common = new Set(ignoreCase ? words.map(lowerCase) : words);
  const isCommon = ({ term }: Token): boolean => common.has(ignoreCase ? lowerCase(term) : term);
  return {
    name,
    forSynonyms: 'refused',
    apply(tokens) {
      const out: Token[] = [];
      for (const [i, token] of tokens.entries()) {
        const next = tokens[i + 1];
        const joins = next !== undefined && (isCommon(token) || isCommon(next));
        const gram = joins ? { ...pairOf(token, next), positionLength: queryMode ? 1 : 2 } : undefined;
        const before = tokens[i - 1];
        // In queries, the last word stays only where no pair holds it.
        const isLastOfPair =
          next === undefined && before !== undefined && (isCommon(before) || isCommon(token));
        if (!queryMode || (gram === undefined && !isLastOfPair)) out.push(token);
        if (gram !== undefined) out.push(gram);
      }
      return setPositionCount(out, positionCountOf(tokens));
    },
  };
}

function pairOf(first: Token, second: Token): Token {
  const { start, position } = first;
  const term = `${first.term}_${second.term}`;
  return { term, start, end: second.end, position, positionLength: 2, type: 'gram' };
}
