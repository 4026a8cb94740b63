// What is searched, once the request has met the indices? A plan per index, and its leaves numbered through: the place
// of a leaf among all of them is part of every document's position.

import type { SearchRequest } from '../api.ts';
import type { JsonObject } from '../json/value.ts';
import type { Plan } from '../query/matcher.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { LeafView } from '../segment/leaf.ts';

/** One leaf to be searched. */
export interface LeafTask {
  readonly view: LeafView;
  readonly plan: Plan;
  readonly index: IndexView;
  readonly indexPlace: number;
  readonly place: number;
}

/** The query of one index, filters of aliases and the post filter included; undefined matches everything. */
export function queryOf(request: SearchRequest, index: string): JsonObject | undefined {
  const filters = [request.filters?.get(index), request.postFilter].filter((f) => f !== undefined);
  if (filters.length === 0) return request.query;
  const must = request.query ?? { match_all: {} };
  return { bool: { must: [must], filter: filters } };
}

/** The leaves of all indices, in insertion order within each. */
export function leafTasks(views: readonly IndexView[], plans: readonly Plan[]): LeafTask[] {
  const tasks: LeafTask[] = [];
  views.forEach((index, indexPlace) => {
    for (const view of index.leaves) {
      if (view.docCount === 0) continue;
      tasks.push({ view, plan: plans[indexPlace]!, index, indexPlace, place: tasks.length });
    }
  });
  return tasks;
}
