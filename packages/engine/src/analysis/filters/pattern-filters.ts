// Filters that look into terms with patterns.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { patternFlags } from '../../patterns/java/parse-pattern.ts';
import { Pattern, type PatternMatch } from '../../patterns/java/pattern.ts';
import { Replacement } from '../../patterns/java/replacement.ts';
import type { Token } from '../analyzer.ts';
import { positionCountOf, setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, listParam, textParam } from '../params.ts';
import { perTerm } from './term-filter.ts';

/** The pattern in the settings of a component. */
export function patternOf(params: JsonObject, source: string): Pattern {
  return new Pattern(source, patternFlags(textParam(params, 'flags')));
}

/** Replaces the matches in each term. */
export function patternReplace(name: string, params: JsonObject): TokenFilter {
  const source = textParam(params, 'pattern');
  if (source === undefined)
    throw illegalArgument(`pattern is missing for [${name}] token filter of type 'pattern_replace'`);
  const pattern = patternOf(params, source);
  const text = textParam(params, 'replacement') ?? '';
  const all = boolParam(params, 'all', true);
  let replacement: Replacement | undefined;
  return perTerm(name, (term) => {
    let out = '';
    let end = 0;
    for (const match of pattern.matches(term)) {
      // A wrong replacement fails with the first match, as in the peer.
      replacement ??= new Replacement(text, pattern);
      out += term.slice(end, match[0]) + replacement.of(match, term);
      end = match[1]!;
      if (!all) break;
    }
    return out + term.slice(end);
  });
}

/** Adds the groups of all matches to each term. */
export function patternCapture(name: string, params: JsonObject): TokenFilter {
  const sources = listParam(params, 'patterns');
  if (sources === undefined)
    throw illegalArgument(`required setting 'patterns' is missing for token filter [${name}]`);
  const keepsOriginal = boolParam(params, 'preserve_original', true);
  const patterns = sources.map((source) => new Pattern(source, patternFlags(undefined)));
  return {
    name,
    apply(tokens) {
      const out = tokens.flatMap((token): Token[] => {
        const { term } = token;
        const lists = patterns.map((pattern) => groupsOf(pattern.matches(term)));
        const parts = inOrder(lists)
          .map(([start, end]) => term.slice(start, end))
          .filter((part) => !keepsOriginal || part !== term);
        if (keepsOriginal || parts.length === 0) parts.unshift(term);
        return parts.map((part) => ({ ...token, term: part }));
      });
      return setPositionCount(out, positionCountOf(tokens));
    },
  };
}

/** The groups of some matches that hold text. */
function groupsOf(matches: Iterable<PatternMatch>): [number, number][] {
  const groups: [number, number][] = [];
  for (const match of matches) {
    for (let i = 2; i < match.length; i += 2)
      if (match[i]! < match[i + 1]!) groups.push([match[i]!, match[i + 1]!]);
  }
  return groups;
}

/** Merges lists: the head that begins first is next; of equal ones, that of the first list. */
function inOrder(lists: readonly (readonly [number, number])[][]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  const at = lists.map(() => 0);
  for (;;) {
    let first = -1;
    for (const [i, list] of lists.entries()) {
      const head = list[at[i]!];
      if (head !== undefined && (first < 0 || head[0] < lists[first]![at[first]!]![0])) first = i;
    }
    if (first < 0) return out;
    out.push(lists[first]![at[first]!++]!);
  }
}
