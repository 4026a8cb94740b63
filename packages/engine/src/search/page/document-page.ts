// The documents of a page in list order, before their sources are read (as TopDocs of Lucene).

import type { PageDoc } from '../../order/rank/walk-runs.ts';
import type { Leaf } from '../../segment/leaf.ts';

export type { PageDoc };

/** Where a document lies. */
export interface HitPlace {
  readonly leaf: Leaf;
  readonly indexPlace: number;
  readonly doc: number;
}

/** The documents of a page, and what surrounds them. */
export interface DocumentPage {
  readonly docs: readonly PageDoc[];
  /** Visible matches, all of them. */
  readonly total: number;
  /** Whether hits precede the first and follow the last document, in list order. */
  readonly before: boolean;
  readonly after: boolean;
  /** The best score of all, where scores decided or were asked for; NaN else. */
  readonly maxScore: number;
  /** Whether an index had more matches than the search was allowed to look at (`terminate_after`). */
  readonly cutShort: boolean;
}
