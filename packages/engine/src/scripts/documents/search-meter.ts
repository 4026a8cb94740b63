// Counts the steps that scripts take on the documents of one segment, on those of one page, or on buckets: says when the search has
// to yield, and ends it above a limit. The limit ends the search even where the errors of documents are kept for later.

import { illegalArgument } from '../../errors.ts';
import type { StepMeter } from '../script.ts';

/** The steps between two yields: about a millisecond. */
const STEPS_AT_ONCE = 50_000;

/** The most steps: about a second. */
export const MOST_SEARCH_STEPS = 40_000_000;

/** The meter of the scripts of a search. */
export class SearchMeter implements StepMeter {
  steps = 0;
  #next = STEPS_AT_ONCE;

  /** Whether the search has to yield. Throws above the limit: `failure`, the error of the last document, if it has one. */
  isDue(failure?: unknown): boolean {
    if (this.steps < this.#next) return false;
    if (this.steps > MOST_SEARCH_STEPS) {
      const reason = `a script takes more than ${MOST_SEARCH_STEPS} steps on the documents of this search`;
      throw failure ?? illegalArgument(reason);
    }
    this.#next = this.steps + STEPS_AT_ONCE;
    return true;
  }
}
