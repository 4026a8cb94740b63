// What of a search need not be done again for its next page? Searches of one shape over the same views have the same
// query, sort and runs: found once, they serve any page until something is written, merged or forgotten.

import type { OrderSpec } from '../order/spec.ts';
import type { IndexView } from '../query/view.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { Gathered } from './by-order.ts';
import type { LeafTask } from './plan.ts';
import type { SearchRequest } from './request.ts';
import type { SortField } from './sort.ts';
import type { Sortable } from './sortable.ts';

/** What was found for all pages of a search that scores do not decide. */
export interface Prepared {
  readonly views: readonly IndexView[];
  readonly fields: readonly SortField[];
  readonly sort: readonly Sortable[][];
  readonly specs: readonly OrderSpec[];
  readonly tasks: readonly LeafTask[];
  readonly gathered: Gathered;
  /** The moment that it was planned for, where it asks for one. */
  readonly now: number | undefined;
  /** What the caches had forgotten when it was made: afterwards, runs may lie in memory that is used again. */
  readonly forgotten: number;
  uses: number;
  /** Whether merging its runs has been thought of. */
  hasLooked: boolean;
}

/** So often it is used before what it stands on is looked up again, so that caches know it is needed. */
const MOST_USES = 1_000;

/** Prepared searches, as long as their views and their shapes live. */
export class PreparedSearches {
  readonly #byLeaves = new WeakMap<readonly LeafView[], WeakMap<object, Prepared>>();

  /** What is prepared for a request. REQUIRES: a reading of the memory. */
  find(request: SearchRequest, views: readonly IndexView[], forgotten: number): Prepared | undefined {
    const { shape } = request;
    const first = views[0];
    if (shape === undefined || first === undefined) return undefined;
    const found = this.#byLeaves.get(first.leaves)?.get(shape);
    if (found === undefined || found.forgotten !== forgotten || found.uses++ > MOST_USES) return undefined;
    if (found.now !== undefined && found.now !== request.now) return undefined;
    for (let i = 0; i < views.length; i++) if (views[i] !== found.views[i]) return undefined;
    return found;
  }

  /** Keeps what was found for a request with a shape. */
  keep(request: SearchRequest, prepared: Prepared): void {
    const { shape } = request;
    const leaves = prepared.views[0]?.leaves;
    if (shape === undefined || leaves === undefined) return;
    let byShape = this.#byLeaves.get(leaves);
    if (byShape === undefined) this.#byLeaves.set(leaves, (byShape = new WeakMap()));
    byShape.set(shape, prepared);
  }
}
