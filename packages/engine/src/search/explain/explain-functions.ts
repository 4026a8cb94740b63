// Explains the score of functions: the query, the functions that count, and how they are combined.

import type { Explanation } from '../../api.ts';
import { setBit } from '../../kernels/bits.ts';
import {
  type FunctionScoreNode,
  type FunctionScoreOptions,
  functionValue,
  type LeafFunction,
  type WeightedFunction,
} from '../../query/node/clauses/function-score-node.ts';
import { newBits } from '../../query/node/node.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import { matched, type NodeExplainer, unmatched } from './explanation.ts';
import { floatText, nodeText } from './node-text.ts';

/** The bound of a function's value that stands for none. */
const MOST = 3.4028234663852886e38;

const COMBINED: Readonly<Record<FunctionScoreOptions['boostMode'], string | undefined>> = {
  MULTIPLY: 'function score, product of:',
  REPLACE: undefined,
  SUM: 'sum of',
  AVG: 'avg of',
  MAX: 'max of',
  MIN: 'min of',
};

/** `score`: what the node gives the document; undefined where it does not match. */
export function explainFunctions(
  explainer: NodeExplainer,
  node: FunctionScoreNode,
  doc: number,
  score: number | undefined,
): Explanation {
  const { inner, options } = node;
  const query = explainer.explain(inner, doc);
  const own = explainer.score(inner, doc);
  if (own === undefined) return query;
  const { functions, scoreMode, boostMode, maxBoost, minScore } = options;
  const counted: LeafFunction[] = [];
  const parts: Explanation[] = [];
  for (const each of functions) {
    const isFiltered = each.filter !== undefined;
    if (each.filter !== undefined && explainer.score(each.filter, doc) === undefined) continue;
    const value = weightedValue(explainer, each, doc, own);
    const weight = each.weight ?? 1;
    const bits = isFiltered ? newBits() : undefined;
    if (bits !== undefined) setBit(bits, doc % CHUNK_DOCS);
    counted.push({ filter: undefined, bits, value: () => value, weight });
    const part = functionPart(each, value, query);
    if (!isFiltered) parts.push(part);
    else {
      const shown = `match filter: ConstantScore(${nodeText(each.filter!, explainer.view)})`;
      parts.push(matched(part.value, 'function score, product of:', [matched(1, shown), part]));
    }
  }
  const value = functionValue(counted, scoreMode, doc, own);
  const isSingle = functions.length === 1 && functions[0]!.filter === undefined;
  const combined = isSingle
    ? parts[0]!
    : counted.length === 0
      ? matched(1, 'No function matched')
      : matched(value, `function score, score mode [${scoreMode.toLowerCase()}]`, parts);
  const isBare = isSingle && boostMode === 'REPLACE' && maxBoost === Number.POSITIVE_INFINITY;
  const most = Math.min(maxBoost, MOST);
  const bounded = isBare
    ? combined
    : matched(Math.min(value, most), 'min of:', [combined, matched(most, 'maxBoost')]);
  const how = COMBINED[boostMode];
  const whole = (total: number): Explanation =>
    how === undefined
      ? { ...bounded, value: matched(total, '').value }
      : matched(total, how, [query, bounded]);
  if (score !== undefined) return whole(score);
  const total = node.combine(own, Math.min(value, maxBoost));
  return unmatched(
    `Score value is too low, expected at least ${floatText(minScore ?? 0)} but got ${floatText(total)}`,
    [whole(total)],
  );
}

/** The value of a function with its weight. */
function weightedValue(
  explainer: NodeExplainer,
  { function: kind, weight = 1 }: WeightedFunction,
  doc: number,
  own: number,
): number {
  return kind === undefined ? weight : kind.forLeaf(explainer.leaf, new SearchMeter())(doc, own) * weight;
}

function functionPart(
  { function: kind, weight }: WeightedFunction,
  value: number,
  query: Explanation,
): Explanation {
  const details = kind?.takesScore === true ? [matched(query.value, '_score: ', [query])] : [];
  if (kind !== undefined && weight === undefined)
    return matched(value, kind.description ?? 'function', details);
  const part =
    kind === undefined
      ? matched(1, 'constant score 1.0 - no function provided')
      : matched(weight === 0 ? 0 : value / weight!, kind.description ?? 'function', details);
  return matched(value, 'product of:', [part, matched(weight!, 'weight')]);
}
