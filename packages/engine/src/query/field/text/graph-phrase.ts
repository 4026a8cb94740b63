// A phrase whose text has forks: spans that follow each other, where a fork is any of its paths (OpenSearch's MatchQuery).

import type { PlanNode } from '../../node/node.ts';
import { orderedSpans } from '../../node/spans/near-spans.ts';
import { orSpans, termSpans } from '../../node/spans/simple-spans.ts';
import type { SpanTerm } from '../../node/spans/spans-node.ts';
import type { Planner } from '../../plan/planner.ts';
import type { SpanSource } from '../../span-list.ts';
import { utf8 } from '../field-value.ts';
import { requirePositions, spansNode } from '../span-node.ts';
import { expandPrefix } from './analyzed-text.ts';
import { isFork, type TextPart, type TextPlace } from './token-graph.ts';

/** With `prefixes` above 0, the last words are beginnings of up to so many terms. */
export function graphPhrase(
  planner: Planner,
  path: string,
  parts: readonly TextPart[],
  prefixes: number,
  boost: number,
): PlanNode {
  const terms: SpanTerm[] = [];
  const word = (term: string, isPrefix: boolean): SpanSource => {
    requirePositions(planner, path, term);
    const found = isPrefix ? expandPrefix(planner, path, term, prefixes) : [utf8(term)];
    terms.push(...found.map((bytes) => ({ path, bytes })));
    return termSpans(path, found);
  };
  const row = (places: readonly TextPlace[], gapBefore: number, isLast: boolean): SpanSource => {
    const sources = places.flatMap((place, i) => {
      const gap = i === 0 ? gapBefore : place.position - places[i - 1]!.position - 1;
      const source = word(place.terms[0]!, isLast && i === places.length - 1);
      return gap > 0 ? [gap, source] : [source];
    });
    return sources.length === 1 ? (sources[0] as SpanSource) : orderedSpans(sources, 0);
  };
  const sources = parts.map((part, i) => {
    const isLast = prefixes > 0 && i === parts.length - 1;
    if (isFork(part)) return orSpans(part.paths.map((places) => row(places, part.gap, isLast)));
    const words = part.terms.map((term) => word(term, isLast));
    return words.length === 1 ? words[0]! : orSpans(words);
  });
  const source = sources.length === 1 ? sources[0]! : orderedSpans(sources, 0);
  return spansNode(planner, { path, scoredPath: path, source, terms, text: path }, boost);
}
