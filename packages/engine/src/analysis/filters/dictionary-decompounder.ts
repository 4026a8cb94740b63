// Finds the words of a list inside compounds, as Germanic languages have them: `dampf` and `schiff` beside `dampfschiff`.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, intParam, listParam, refuseFile } from '../params.ts';

/** Longer words of a list are refused: every length is looked up at every letter. */
const LONGEST_WORD = 255;
/** Words found in one token. */
const MOST_WORDS = 10_000;

export function dictionaryDecompounder(name: string, params: JsonObject): TokenFilter {
  refuseFile(name, params, 'word_list_path', 'word_list');
  const list = listParam(params, 'word_list');
  if (list === undefined)
    throw illegalArgument(
      `word_list must be provided for [${name}], either as a path to a file, or directly`,
    );
  const long = list.find((word) => word.length > LONGEST_WORD);
  if (long !== undefined)
    throw illegalArgument(
      `a word of [word_list] of filter [${name}] has more than ${LONGEST_WORD} letters: [${long.slice(0, 40)}…]`,
    );
  const least = sizeParam(params, 'min_word_size', 'minWordSize', 5);
  const from = sizeParam(params, 'min_subword_size', 'minSubwordSize', 2);
  const to = sizeParam(params, 'max_subword_size', 'maxSubwordSize', 15);
  const onlyLongest = boolParam(params, 'only_longest_match', false);
  const words = new Set(list.filter(({ length }) => length >= from && length <= to));
  const lengths = [...new Set(Array.from(words, ({ length }) => length))].sort((a, b) => a - b);
  return {
    name,
    forSynonyms: 'skipped',
    apply(tokens) {
      const out: Token[] = [];
      for (const token of tokens) {
        out.push(token);
        const before = out.length;
        const { term } = token;
        for (let at = 0; term.length >= least && at < term.length; at++) {
          const found = lengths
            .map((length) => term.slice(at, at + length))
            .filter((part, i) => part.length === lengths[i] && words.has(part));
          for (const part of onlyLongest ? found.slice(-1) : found) out.push({ ...token, term: part });
          if (out.length - before > MOST_WORDS)
            throw illegalArgument(`filter [${name}] finds more than ${MOST_WORDS} words in one token`);
        }
      }
      return setPositionCount(out, positionCountOf(tokens));
    },
  };
}

function sizeParam(params: JsonObject, key: string, javaName: string, preset: number): number {
  const size = intParam(params, key, preset);
  if (size < 0) throw illegalArgument(`${javaName} cannot be negative`);
  return size;
}
