// Plans a parsed query against one snapshot of an index, at once or step by step.

import { asMisfit } from './errors.ts';
import { KINDS } from './kinds/registry.ts';
import type { Plan } from './matcher.ts';
import type { Node } from './node/node.ts';
import { sliceNode } from './plan/index-slice.ts';
import type { IndexView } from './plan/index-view.ts';
import { Lookups } from './plan/lookups.ts';
import { type NamedPlan, type PlanContext, Planner } from './plan/planner.ts';
import type { Query } from './query.ts';
import { finish, type Steps } from './steps.ts';

/**
 * Plans a parsed query against one snapshot of an index, at once. Throws `query_shard_exception` where the query does not
 * fit the mapping.
 */
export function planQuery(query: Query, view: IndexView, context: PlanContext): Plan {
  return finish(planning(query, view, context));
}

/** The same, step by step: terms are looked up between two rounds of planning. */
export function* planning(query: Query, view: IndexView, context: PlanContext): Steps<Plan> {
  const lookups = new Lookups();
  for (;;) {
    const named: NamedPlan[] = [];
    const own = context.named === undefined ? context : { ...context, named };
    const planner = new Planner(view, own, planByKind, lookups);
    const node = planned(planner, query);
    if (!lookups.isWaiting) {
      context.named?.push(...named);
      if (context.slice === undefined) return node;
      return planner.combine({ must: [node], filter: [sliceNode(view, context.slice)] });
    }
    yield* lookups.find();
  }
}

function planByKind(query: Query, planner: Planner, boost: number): Node {
  return KINDS.get(query.kind)!.plan(query, planner, boost);
}

function planned(planner: Planner, query: Query): Node {
  try {
    return planner.plan(query, 1);
  } catch (error) {
    throw asMisfit(planner.view, error);
  }
}
