// What is a page found in? Leaves in one order each: runs, which a cut divides all at once.

import type { LeafOrder } from '../build/build-order.ts';
import type { LeafStack } from '../build/leaf-stack.ts';
import type { RankView } from './rank-view.ts';

/** Leaves in one order: document `docs[p]` of the stack at position p, of which the view says what is visible. */
export interface OrderRun {
  readonly stack: LeafStack;
  readonly docs: Uint32Array;
  /** What `docs` are the documents of, where that is kept. */
  readonly order?: LeafOrder | undefined;
  readonly view: RankView;
  /** `stack.lead` by position, where it is kept. */
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

/** The first key of the document at a position: see Stack.lead. */
export function leadAt({ leads, stack, docs }: OrderRun, p: number): number {
  return leads === undefined ? stack.lead(docs[p]!) : leads[p]!;
}
