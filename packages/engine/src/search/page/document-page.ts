// What is a page before its sources are read? Documents in list order, and what surrounds them.

import type { Side } from '../../order/compare.ts';
import type { Run } from '../../order/rank/run.ts';

/** One document of a page. */
export interface PageDoc {
  readonly side: Side;
  readonly doc: number;
  /** NaN where it was not needed to find the page. */
  readonly score: number;
  /** Where it was found by its sort: a run, and its position there. */
  readonly run?: Run;
  readonly at?: number;
}

export interface Page {
  readonly docs: readonly PageDoc[];
  /** Visible matches, all of them. */
  readonly total: number;
  /** Whether hits precede the first and follow the last document, in list order. */
  readonly before: boolean;
  readonly after: boolean;
  /** The best score of all, where scores decided or were asked for; NaN else. */
  readonly maxScore: number;
}
