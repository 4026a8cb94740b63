// The parts of explanations, and what their makers may ask.

import type { Explanation } from '../../api.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { PlanNode } from '../../query/node/node.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Statistics } from '../../query/plan/statistics.ts';
import type { Leaf } from '../../segment/leaf.ts';

/** Explains the documents of one leaf. */
export interface NodeExplainer {
  readonly view: IndexView;
  readonly leaf: Leaf;
  readonly stats: Statistics;
  /** The score that a node gives a document; undefined where it does not match. */
  score(node: PlanNode, doc: number): number | undefined;
  explain(node: PlanNode, doc: number): Explanation;
}

/** A part that matches. Its value is a float. */
export function matched(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { matched: true, value: shortestFloat(Math.fround(value)), description, details };
}

/** A part that does not match. */
export function unmatched(description: string, details: readonly Explanation[] = []): Explanation {
  return { matched: false, value: 0, description, details };
}
