// The runs of one search while they are collected, and the leaves that had to be scanned because they have no
// order yet.

import type { OrderSpec } from '../../order/order-spec.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import type { Visible } from '../../order/rank/visible.ts';
import type { FarBound } from '../../order/unordered/key-levels.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { CollectedRuns } from '../caches/runs-memo.ts';
import type { LeafTask } from '../leaf-task.ts';

/** A leaf is scanned only for pages that end within so many documents. */
export const MAX_SCAN_PAGE = 4_096;

/** A leaf that was scanned because it has no order. Its order is built after the search. */
export interface UnbuiltOrder extends Pick<LeafTask, 'place' | 'indexPlace'> {
  readonly leaf: Leaf;
  readonly spec: OrderSpec;
  readonly visible: Visible;
}

/** Collects the runs of all leaves, and what is known of documents that are in no run. */
export class RunsCollector implements CollectedRuns {
  readonly runs: OrderRun[] = [];
  total = 0;
  /**
   * Visible documents that precede the documents held in the runs. They were scanned or counted, but not
   * collected.
   */
  scannedBefore = 0;
  cutShort = false;
  /** True where the runs are good for any page of the list: nothing was scanned, cut or left out. */
  isWhole = true;
  /** Documents of leaves whose orders were built at once. */
  built = 0;
  readonly unbuilt: UnbuiltOrder[] = [];
  /** Per index: a key at or after the last document of the page, found in the leaves scanned so far. */
  readonly far: FarBound[] = [];
}
