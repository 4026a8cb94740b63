// The leaves that a search goes through, numbered over all indices. A document's position in a search is the
// place of its leaf and its number there, so that positions ascend in insertion order.

import type { Plan } from '../query/matcher.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import type { LeafView } from '../segment/leaf.ts';

/** One leaf to be searched. */
export interface LeafTask {
  readonly view: LeafView;
  readonly plan: Plan;
  readonly index: IndexView;
  /** Place of the index among those searched, and of the leaf among all leaves. */
  readonly indexPlace: number;
  readonly place: number;
}

/** The leaves of all indices, in insertion order within each. `plans` has one plan per index. */
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

/** The position of a document among all leaves of a search: place · 2^32 + document. */
export function positionOf(place: number, doc: number): number {
  return place * 4_294_967_296 + doc;
}

/** The place of the leaf that holds a position. */
export function placeAt(position: number): number {
  return Math.floor(position / 4_294_967_296);
}

/** The number of a position's document in its leaf. */
export function docAt(position: number): number {
  return position % 4_294_967_296;
}
