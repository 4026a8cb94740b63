// The runs of one search while they are collected, and the leaves that had to be scanned because they have no
// order yet.

import type { OrderSpec } from '../../order/order-spec.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import type { Visible } from '../../order/rank/visible.ts';
import type { FarBound } from '../../order/unordered/key-levels.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { CollectedRuns } from '../caches/runs-memo.ts';
import type { LeafTask } from '../leaf-task.ts';

/** From this many documents behind the start on, the best few of a leaf are too many to scan for. */
export const MAX_SCAN_PAGE = 4_096;

/** A leaf that was scanned because it has no order. Its order is built after the search. */
export interface UnbuiltOrder extends Pick<LeafTask, 'place' | 'indexPlace'> {
  readonly leaf: Leaf;
  readonly spec: OrderSpec;
  readonly visible: Visible;
}

/** Runs of all leaves, and what is known of documents that are in no run. */
export class RunCollection implements CollectedRuns {
  readonly runs: OrderRun[] = [];
  total = 0;
  /**
   * Visible documents of scanned leaves before the page's cut; without a cursor, those before all that the
   * runs hold.
   */
  scannedBefore = 0;
  cutShort = false;
  /** True where the runs are good for any page of the list: nothing was scanned, cut or left out. */
  isWhole = true;
  /** Documents of leaves whose orders were built at once. */
  built = 0;
  readonly unbuilt: UnbuiltOrder[] = [];
  /** Of each index, keys that nothing on the page lies behind, as far as the scanned leaves tell. */
  readonly far: FarBound[] = [];
}
