// Counts the steps of a script over the documents of one segment or of one page, or over the buckets of an aggregation: says when
// the search has to yield, and ends it above a limit. The limit ends the search even where the errors of documents are kept for later.

import { illegalArgument } from '../../errors.ts';
import type { StepMeter } from '../script.ts';

/** The steps between two yields: about a millisecond. */
const STEPS_AT_ONCE = 50_000;

/** The most steps: two to three seconds. An ordinary script takes 50 steps a document. */
export const MOST_SEARCH_STEPS = 100_000_000;

/** The meter of the scripts of a search. */
export class SearchMeter implements StepMeter {
  steps = 0;
  #next = STEPS_AT_ONCE;

  /** Throws above the limit: `failure`, the error of the last document, if it has one. */
  check(failure?: unknown): void {
    if (this.steps <= MOST_SEARCH_STEPS) return;
    const reason = `a script takes more than ${MOST_SEARCH_STEPS} steps on the documents of a segment, or on buckets; let it do less, or search fewer documents`;
    throw failure ?? illegalArgument(reason);
  }

  /** Whether the search has to yield. Throws as `check` does. */
  isDue(failure?: unknown): boolean {
    if (this.steps < this.#next) return false;
    this.check(failure);
    this.#next = this.steps + STEPS_AT_ONCE;
    return true;
  }
}
