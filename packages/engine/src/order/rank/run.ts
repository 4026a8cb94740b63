// A run: leaves in one order, of which a page is a part. A cut divides all runs of a search at the same place
// of the merged order.

import type { LeafOrder } from '../build/build-order.ts';
import type { LeafStack } from '../build/leaf-stack.ts';
import type { RankView } from './rank-view.ts';

/**
 * Leaves in one order: document `docs[p]` of the stack is at position p, and the view tells whether it is
 * visible.
 */
export interface OrderRun {
  readonly stack: LeafStack;
  readonly docs: Uint32Array;
  /** The order that `docs` belong to, where it is cached. */
  readonly order?: LeafOrder | undefined;
  readonly view: RankView;
  /** `stack.lead` by position, where it is stored. */
  readonly leads?: Float64Array | undefined;
}

/** Positions in all runs at once: everything before them comes first in the merged order. */
export type RunCut = number[];

/** Visible documents of all runs. */
export function visibleTotal(runs: readonly OrderRun[]): number {
  let total = 0;
  for (const run of runs) total += run.view.total;
  return total;
}

/** Visible documents before a cut. */
export function rankOfCut(runs: readonly OrderRun[], cut: RunCut): number {
  let rank = 0;
  for (let i = 0; i < runs.length; i++) rank += runs[i]!.view.count(cut[i]!);
  return rank;
}

/** The leading key of the document at a position (LeafStack.lead). */
export function leadAt({ leads, stack, docs }: OrderRun, p: number): number {
  return leads === undefined ? stack.lead(docs[p]!) : leads[p]!;
}
