// The matches of any query with one score.

import type { Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps } from '../../steps.ts';
import { ConstantMatcher, FilterNode, type PlanNode } from '../node.ts';
import { AllNode, NONE, NOTHING } from './match-all-node.ts';

class WrappedMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly effort: number;
  readonly #inner: Matcher;

  constructor(inner: Matcher, constant: number) {
    super(constant);
    this.cost = inner.cost;
    this.effort = effortOf([inner]);
    this.#inner = inner;
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    return this.#inner.match(chunk, bits, candidates);
  }

  matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    return matchAllAhead([this.#inner], chunk, candidates);
  }
}

/** The matches of a node, each with one score. */
export class ConstantNode extends FilterNode {
  readonly inner: PlanNode;
  readonly parts: readonly PlanNode[];

  constructor(inner: PlanNode, constant: number) {
    super(constant);
    this.inner = inner;
    this.parts = [inner];
  }

  get key(): string {
    return this.inner.key;
  }

  matcher(leaf: Leaf): Matcher {
    const inner = this.inner.matcher(leaf);
    return inner === NOTHING ? NOTHING : new WrappedMatcher(inner, this.constant);
  }
}

/** The matches of a node, each with the score `constant`. */
export function constantNode(inner: PlanNode, constant: number): PlanNode {
  if (inner.matchesNone) return NONE;
  if (inner.matchesAll) return new AllNode(constant);
  return new ConstantNode(inner instanceof ConstantNode ? inner.inner : inner, constant);
}
