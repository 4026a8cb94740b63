// Plans a text for several fields: the best field, all of them together, or the fields taken as one
// (cross_fields: each word in any field, as if the fields were equally long lists of equally rare words).

import { plainText } from '../../../json/java-text.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { boosted, type PlanNode } from '../../node/node.ts';
import type { Planner } from '../../plan/planner.ts';
import type { WeightedField } from '../field-list.ts';
import { isTextField, plainString, utf8 } from '../field-value.ts';
import { analyzeParts, phraseNode } from './analyzed-text.ts';
import {
  chooseAnalyzer,
  DROPPED,
  joinCommonTerms,
  joinTerms,
  type MatchOptions,
  matchNode,
} from './match.ts';
import { isFork, type TextPlace } from './token-graph.ts';

/** How fields are combined. */
export type MultiType =
  | 'best_fields'
  | 'most_fields'
  | 'cross_fields'
  | 'phrase'
  | 'phrase_prefix'
  | 'bool_prefix';

/** The default share of the fields that do not score best. */
export const TIE_BREAKERS: Readonly<Record<MultiType, number>> = Object.freeze({
  best_fields: 0,
  most_fields: 1,
  cross_fields: 0,
  phrase: 0,
  phrase_prefix: 0,
  bool_prefix: 1,
});

/** How a text is matched in each field. */
export const MATCH_TYPES: Readonly<Record<MultiType, MatchOptions['type']>> = Object.freeze({
  best_fields: 'boolean',
  most_fields: 'boolean',
  cross_fields: 'boolean',
  phrase: 'phrase',
  phrase_prefix: 'phrase_prefix',
  bool_prefix: 'bool_prefix',
});

/**
 * Documents with a text in any of some fields. DROPPED where the text has no tokens and `options` ask for
 * that.
 */
export function multiFieldNode(
  planner: Planner,
  fields: readonly WeightedField[],
  value: JsonValue,
  type: MultiType,
  tieBreaker: number | undefined,
  options: MatchOptions,
  boost: number,
): PlanNode {
  const tie = tieBreaker ?? TIE_BREAKERS[type];
  const nodes =
    type === 'cross_fields'
      ? crossFields(planner, fields, value, tie, options, boost)
      : fields.map((field) => oneField(planner, field, value, options, boost));
  const kept = nodes.filter((node) => node !== DROPPED);
  if (kept.length === 0 && nodes.length > 0) return DROPPED;
  return planner.disMax(kept, tie);
}

function oneField(
  planner: Planner,
  field: WeightedField,
  value: JsonValue,
  options: MatchOptions,
  boost: number,
): PlanNode {
  const own = Math.fround(boost * field.boost);
  return boosted(matchNode(planner, field.path, value, options, own, 'multi_match'), field.boost);
}

/** Groups the fields by analyzer: each group of text fields is taken as one field. */
function crossFields(
  planner: Planner,
  fields: readonly WeightedField[],
  value: JsonValue,
  tie: number,
  options: MatchOptions,
  boost: number,
): PlanNode[] {
  const groups = new Map<string, { field: FieldType; boost: number }[]>();
  for (const { path, boost } of fields) {
    const field = planner.field(path);
    if (field === undefined) continue;
    const analyzer = chooseAnalyzer(planner, field, options, 'multi_match');
    const key = analyzer === undefined || !isTextField(field) ? 'keyword' : analyzerName(field, options);
    groups.set(key, [...(groups.get(key) ?? []), { field, boost }]);
  }
  const nodes: PlanNode[] = [];
  for (const [key, group] of groups) {
    if (group.length === 1 || key === 'keyword') {
      const each = group.map(({ field, boost: own }) =>
        oneField(planner, { path: field.path, boost: own }, value, options, boost),
      );
      nodes.push(...each);
      continue;
    }
    const analyzer = chooseAnalyzer(planner, group[0]!.field, options, 'multi_match')!;
    const parts = analyzeParts(analyzer, plainString(value), planner);
    if (parts.length === 0) {
      nodes.push(oneField(planner, { path: group[0]!.field.path, boost: 1 }, value, options, boost));
      continue;
    }
    const place = ({ terms }: TextPlace): PlanNode =>
      blended(planner, group, terms.map(utf8), tie, options.cutoff, boost);
    const path = (places: readonly TextPlace[]): PlanNode => {
      if (places.length === 1 || !options.synonymPhrases) return planner.combine({ must: places.map(place) });
      const slots = places.map(({ position, terms }) => ({ position, terms: terms.map(utf8) }));
      const phrases = group.map(({ field, boost: own }) =>
        phraseNode(planner, field.path, slots, 0, Math.fround(boost * own)),
      );
      return planner.disMax(phrases, tie);
    };
    const words = parts.map((part) =>
      isFork(part) ? planner.combine({ should: part.paths.map(path), least: 1 }) : place(part),
    );
    nodes.push(joinTerms(planner, words, options));
  }
  return nodes;
}

/** The name of the analyzer of a text. The default of the index is another one than the one of its name, as in the peer. */
function analyzerName({ params }: FieldType, { analyzer }: MatchOptions): string {
  return plainText(analyzer ?? params['search_analyzer'] ?? params['analyzer'] ?? 'default');
}

/**
 * One word, or its synonyms, in several fields: with the document frequency of the most frequent, and one more for each rarer one.
 */
function blended(
  planner: Planner,
  group: readonly { readonly field: FieldType; readonly boost: number }[],
  terms: readonly Uint8Array[],
  tie: number,
  cutoff: number | undefined,
  boost: number,
): PlanNode {
  const found = group
    .flatMap(({ field, boost: own }) =>
      terms.map((bytes) => ({
        field,
        bytes,
        boost: Math.fround(boost * own),
        docFreq: planner.stats.term(field.path, bytes).docFreq,
        stats: planner.stats.field(field.path),
      })),
    )
    .filter(({ docFreq }) => docFreq > 0);
  if (found.length === 0) return NONE;
  const shortest = Math.min(...found.map(({ stats }) => stats.sumTotalTermFreq));
  const top = Math.min(planner.stats.maxDoc, shortest);
  const ordered = [...found].sort((a, b) => b.docFreq - a.docFreq);
  let docFreq = Math.min(top, ordered[0]!.docFreq);
  let before = ordered[0]!.docFreq;
  const nodes = ordered.map((each) => {
    if (before > each.docFreq) docFreq++;
    before = each.docFreq;
    const blendedFreq = Math.min(docFreq, Math.max(top, 1), Math.max(each.stats.docCount, each.docFreq));
    return planner.term(each.field.path, each.bytes, each.boost, blendedFreq);
  });
  if (cutoff === undefined) return planner.disMax(nodes, tie);
  const each = nodes.map((node, i) => ({ node, docFreq: ordered[i]!.docFreq }));
  if (found.length < group.length * terms.length) each.push({ node: NONE, docFreq: 0 });
  return joinCommonTerms(planner, each, cutoff, { operator: 'or' });
}
