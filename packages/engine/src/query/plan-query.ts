// Plans a parsed query against one snapshot of an index, at once or step by step.

import { runToEnd } from '../turn.ts';
import { wrapMisfit } from './errors.ts';
import { QUERY_KINDS } from './kinds/registry.ts';
import type { Plan } from './matcher.ts';
import { NONE } from './node/clauses/match-all-node.ts';
import type { PlanNode } from './node/node.ts';
import { sliceNode } from './plan/index-slice.ts';
import type { IndexView } from './plan/index-view.ts';
import { Lookups } from './plan/lookups.ts';
import { type InnerHitsPlan, type NamedPlan, type PlanContext, Planner } from './plan/planner.ts';
import type { Query } from './query.ts';
import type { Steps } from './steps.ts';

/**
 * Plans a parsed query against one snapshot of an index, at once. Throws `query_shard_exception` where the
 * query does not fit the mapping.
 */
export function planQuery(query: Query, view: IndexView, context: PlanContext): Plan {
  return runToEnd(planInSteps(query, view, context));
}

/** Plans a query in steps: terms are looked up between two rounds of planning. */
export function* planInSteps(query: Query, view: IndexView, context: PlanContext): Steps<PlanNode> {
  const lookups = new Lookups();
  for (;;) {
    const named: NamedPlan[] = [];
    const inner: InnerHitsPlan[] = [];
    const own = {
      ...context,
      ...(context.named === undefined ? {} : { named }),
      ...(context.inner === undefined ? {} : { inner }),
    };
    const planner = new Planner(view, own, { plan: planByKind, isNone }, lookups);
    const node = planRoot(planner, query);
    if (!lookups.isWaiting) {
      context.named?.push(...named);
      context.inner?.push(...inner);
      if (context.slice === undefined) return node;
      return planner.combine({ must: [node], filter: [sliceNode(view, context.slice)] });
    }
    yield* lookups.findAll();
  }
}

function planByKind(query: Query, planner: Planner, boost: number): PlanNode {
  return isNone(query, planner) ? NONE : QUERY_KINDS.get(query.kind)!.plan(query, planner, boost);
}

function isNone(query: Query, planner: Planner): boolean {
  return QUERY_KINDS.get(query.kind)!.isNone?.(query, planner) ?? false;
}

function planRoot(planner: Planner, query: Query): PlanNode {
  try {
    return planner.plan(query, 1);
  } catch (error) {
    throw planner.isPlain ? error : wrapMisfit(planner.view, error);
  }
}
