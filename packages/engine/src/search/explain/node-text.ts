// What a planned query looks for, in the notation of Lucene as far as it has one: `t:fox`, `+t:fox -k:(x y)`.

import { javaDouble } from '../../json/java-double.ts';
import { INPUTS_END } from '../../mapping/field.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import { BoolNode } from '../../query/node/clauses/bool-node.ts';
import { BoostingNode } from '../../query/node/clauses/boosting-node.ts';
import { ConstantNode } from '../../query/node/clauses/constant-score-node.ts';
import { CoveringNode } from '../../query/node/clauses/covering-node.ts';
import { DisMaxNode } from '../../query/node/clauses/dis-max-node.ts';
import { FunctionScoreNode } from '../../query/node/clauses/function-score-node.ts';
import { AllNode } from '../../query/node/clauses/match-all-node.ts';
import { NestedNode } from '../../query/node/clauses/nested-node.ts';
import { FilterNode, type PlanNode } from '../../query/node/node.ts';
import { IntervalsNode } from '../../query/node/spans/intervals-node.ts';
import { SpansNode } from '../../query/node/spans/spans-node.ts';
import { CombinedTermNode } from '../../query/node/terms/combined-term-node.ts';
import { PhraseNode } from '../../query/node/terms/phrase-node.ts';
import { SynonymNode } from '../../query/node/terms/synonym-node.ts';
import { TermNode } from '../../query/node/terms/term-node.ts';
import { TermSetNode } from '../../query/node/terms/term-set-node.ts';
import { ExistsNode } from '../../query/node/values/exists-node.ts';
import { NumericRangeNode } from '../../query/node/values/numeric-range-node.ts';
import type { IndexView } from '../../query/plan/index-view.ts';

type Kind = abstract new (...args: never) => PlanNode;

/** What nodes are called that are shown with their parts. */
const NAMES: readonly (readonly [Kind, string])[] = [
  [NestedNode, 'ToParentBlockJoinQuery'],
  [FunctionScoreNode, 'function score'],
  [BoostingNode, 'boosting'],
  [CoveringNode, 'CoveringQuery'],
  [CombinedTermNode, 'CombinedFieldQuery'],
  [SpansNode, 'spans'],
  [IntervalsNode, 'intervals'],
];

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A float as Java prints it. */
export function floatText(value: number): string {
  return javaDouble(value, String(Math.abs(shortestFloat(value))));
}

/** A term as text, or as hexadecimal bytes where it is none. */
function termText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes.slice());
  } catch {
    return `[${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ')}]`;
  }
}

/** The weight of a constant score, where it is not 1. */
export function boostText(node: PlanNode): string {
  return node instanceof FilterNode && node.constant !== 1 ? `^${floatText(node.constant)}` : '';
}

/** Whether a range is one of the values of a boolean field, which are terms for the peer. */
export function isBooleanTerm(node: PlanNode, { mapping }: IndexView): boolean {
  if (!(node instanceof NumericRangeNode) || mapping.field(node.path)?.params['type'] !== 'boolean')
    return false;
  return node.min.hi === node.max.hi && node.min.lo === node.max.lo;
}

/** Describes a node without its weight. */
export function nodeText(node: PlanNode, view: IndexView): string {
  if (node instanceof AllNode) return '*:*';
  if (node instanceof TermNode) return `${node.path.replace(INPUTS_END, '')}:${termText(node.bytes)}`;
  if (node instanceof SynonymNode)
    return `Synonym(${node.terms.map((term) => `${node.path}:${termText(term)}`).join(' ')})`;
  if (node instanceof PhraseNode) {
    const words = node.slots.map(({ terms: [first, ...more] }) =>
      more.length === 0 ? termText(first!) : `(${[first!, ...more].map(termText).join(' ')})`,
    );
    return `${node.path}:"${words.join(' ')}"${node.slop > 0 ? `~${node.slop}` : ''}`;
  }
  if (node instanceof ExistsNode) return `FieldExistsQuery [field=${node.path}]`;
  if (node instanceof TermSetNode) {
    const { exact, prefix } = node.source;
    if (prefix !== undefined) return `${node.path}:${termText(prefix)}*`;
    if (exact !== undefined)
      return `${node.path}:${exact.length === 1 ? termText(exact[0]!) : `(${exact.map(termText).join(' ')})`}`;
    return `${node.path}:{terms}`;
  }
  if (node instanceof NumericRangeNode) {
    if (isBooleanTerm(node, view))
      return `${node.path}:${node.max.lo === 0 && node.max.hi === 0 ? 'F' : 'T'}`;
    const numeric = view.mapping.field(node.path)?.numeric;
    const [min, max] = [node.min, node.max].map(({ hi, lo }) => numeric?.decode(hi, lo));
    return `${node.path}:[${min} TO ${max}]`;
  }
  if (node instanceof ConstantNode) return nodeText(node.inner, view);
  if (node instanceof DisMaxNode)
    return `(${node.nodes.map((each) => nodeText(each, view)).join(' | ')})${node.tie === 0 ? '' : `~${floatText(node.tie)}`}`;
  if (node instanceof BoolNode) return boolText(node, view);
  const name = NAMES.find(([kind]) => node instanceof kind)?.[1] ?? 'query';
  return `${name}(${(node.parts ?? []).map((each) => nodeText(each as PlanNode, view)).join(' ')})`;
}

function boolText({ clauses, least }: BoolNode, view: IndexView): string {
  const { must, filter, should, mustNot } = clauses;
  const list = (sign: string, nodes: readonly PlanNode[]): string[] =>
    nodes.map((node) => {
      const text = nodeText(node, view);
      return sign + (node instanceof BoolNode ? `(${text})` : text);
    });
  const parts = [...list('+', must), ...list('-', mustNot), ...list('', should), ...list('#', filter)];
  return parts.join(' ') + (least > 1 ? `~${least}` : '');
}
