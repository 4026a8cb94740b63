// The memo of runs: what all pages of one list over one view have in common.
//
// - Key: the `shape` of the request (requests with one shape differ only in their position) and the views.
// - Value: sort, leaves and runs of a list that scores do not decide.
// - Bound: as many as there are shapes and views alive (weak maps). An entry takes no memory beside the runs
//   themselves.
// - Invalidation: other views (a commit, a seal, a merge), another moment (`now`), and any eviction from the
//   caches of orders and filters, because runs may then lie in memory that is reused.
// - Benefit: without it a page of a known list costs 1.6 to 1.9 times the CPU over HTTP.

import type { SearchRequest } from '../../api.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { LeafView } from '../../segment/leaf.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SortField } from '../request/parse-sort.ts';
import type { Sortable } from '../request/sortable.ts';

/** The leaves of a search in order. */
export interface CollectedRuns {
  readonly runs: readonly OrderRun[];
  /** Visible matches of all leaves. */
  readonly total: number;
  /** Visible documents that precede those in the runs: scanned or counted, but not collected (sorted/runs-collector.ts). */
  readonly scannedBefore: number;
  /** Whether counting stopped early in an index. */
  readonly cutShort: boolean;
}

/** The runs of a list that scores do not decide, good for any of its pages. */
export interface ListRuns {
  readonly views: readonly IndexView[];
  readonly fields: readonly SortField[];
  readonly sort: readonly Sortable[][];
  readonly specs: readonly OrderSpec[];
  readonly tasks: readonly LeafTask[];
  readonly collected: CollectedRuns;
  /** The moment that the list was planned for, where its query asks for the time. */
  readonly now: number | undefined;
  /** `SearchCaches.evictions` when the runs were found. */
  readonly evictions: number;
  uses: number;
  /** Whether merging the runs has been considered. */
  isConsidered: boolean;
}

/**
 * After this many uses the runs are found again, so that the caches of orders and filters see that they are
 * in use.
 */
const MOST_USES = 1_000;

/** The runs of recent lists. */
export class RunsMemo {
  readonly #byLeaves = new WeakMap<readonly LeafView[], WeakMap<object, ListRuns>>();

  /** The runs of the list that a request asks for. REQUIRES: an open reading of the memory. */
  find(request: SearchRequest, views: readonly IndexView[], evictions: number): ListRuns | undefined {
    const { shape } = request;
    const first = views[0];
    if (shape === undefined || first === undefined) return undefined;
    const found = this.#byLeaves.get(first.leaves)?.get(shape);
    if (found === undefined || found.evictions !== evictions || found.uses++ > MOST_USES) return undefined;
    if (found.now !== undefined && found.now !== request.now) return undefined;
    for (let i = 0; i < views.length; i++) if (views[i] !== found.views[i]) return undefined;
    return found;
  }

  /** Keeps the runs of a request that has a shape. */
  set(request: SearchRequest, runs: ListRuns): void {
    const { shape } = request;
    const leaves = runs.views[0]?.leaves;
    if (shape === undefined || leaves === undefined) return;
    let byShape = this.#byLeaves.get(leaves);
    if (byShape === undefined) this.#byLeaves.set(leaves, (byShape = new WeakMap()));
    byShape.set(shape, runs);
  }
}
