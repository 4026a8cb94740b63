// Filters that mark words as keywords, which stemmers leave alone, or that give words a stem of their own.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { patternFlags } from '../../patterns/java/parse-pattern.ts';
import { Pattern } from '../../patterns/java/pattern.ts';
import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, listParam, refuseFile, textParam } from '../params.ts';
import { lowerCase } from '../words/lower-case.ts';

/** Marks the tokens that `keywords` lists. */
export function keywordMarker(name: string, params: JsonObject): TokenFilter {
  const words = listParam(params, 'keywords');
  const pattern = textParam(params, 'keywords_pattern');
  refuseFile(name, params, 'keywords_path', 'keywords');
  if (pattern !== undefined) {
    if (words !== undefined)
      throw illegalArgument('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`');
    const compiled = new Pattern(pattern, patternFlags(undefined));
    return markKeywords(name, ({ term }) => compiled.isMatch(term));
  }
  if (words === undefined)
    throw illegalArgument(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    );
  const ignoreCase = boolParam(params, 'ignore_case', false);
  const set = new Set(ignoreCase ? words.map(lowerCase) : words);
  return markKeywords(name, ({ term }) => set.has(ignoreCase ? lowerCase(term) : term));
}

function markKeywords(name: string, isKeyword: (token: Token) => boolean): TokenFilter {
  return {
    name,
    attributes: ['keyword'],
    apply(tokens) {
      for (const token of tokens) if (isKeyword(token)) token.keyword = true;
      return tokens;
    },
  };
}

/** Each token twice at its position, first as a keyword. */
export function keywordRepeat(name: string): TokenFilter {
  return {
    name,
    forSynonyms: 'refused',
    attributes: ['keyword'],
    apply(tokens) {
      const twice = tokens.flatMap((token): Token[] => [
        { ...token, keyword: true },
        { ...token, keyword: false },
      ]);
      return setPositionCount(twice, positionCountOf(tokens));
    },
  };
}

/** Replaces the words of its rules, such as `running, runs => run`, and marks the results as keywords. */
export function stemmerOverride(name: string, params: JsonObject): TokenFilter {
  const rules = listParam(params, 'rules');
  refuseFile(name, params, 'rules_path', 'rules');
  if (rules === undefined)
    throw illegalArgument('stemmer override filter requires either `rules` or `rules_path` to be configured');
  const stems = new Map<string, string>();
  for (const [i, rule] of rules.entries()) {
    if (rule.startsWith('#')) continue;
    const sides = rule.split('=>').map((side) => side.split(',').map((word) => word.trim()));
    const words = sides[0] ?? [];
    const to = sides[1] ?? [];
    if (sides.length !== 2 || to.length !== 1 || [...words, ...to].includes(''))
      throw illegalArgument(`Line [${i + 1}]: Invalid keyword override rule: ${rule}`);
    // The first rule of a word holds.
    for (const word of words) if (!stems.has(word)) stems.set(word, to[0]!);
  }
  return {
    name,
    attributes: ['keyword'],
    apply(tokens) {
      for (const token of tokens) {
        const stem = token.keyword === true ? undefined : stems.get(token.term);
        if (stem === undefined) continue;
        token.term = stem;
        token.keyword = true;
      }
      return tokens;
    },
  };
}
