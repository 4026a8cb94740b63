// What does a snapshot see of an index whose refreshes are held back? What the last refresh before it showed, for ever:
// a lease keeps its picture when others refresh. So this is a history, from snapshot numbers to commits.
//
//   commits    1 2 3 4 5 6 7 8 9          refreshes at 3 and 7; a lease on 5 sees 3, and goes on to
//   seen       0 0 3 3 3 3 7 7 7

interface Step {
  /** The first snapshot number that it is about. */
  readonly from: number;
  /** The commit that they see; infinity where each sees its own. */
  readonly sees: number;
}

/** The history of one index. */
export class RefreshHistory {
  /** Ascending, the last one in force. */
  #steps: Step[];

  /** `sees`: the commit that searches see until there is a refresh; infinity where refreshes are not held back. */
  constructor(sees: number = Number.POSITIVE_INFINITY) {
    this.#steps = [{ from: 0, sees }];
  }

  /** Do searches wait for refreshes? */
  get isManual(): boolean {
    return this.#steps.at(-1)!.sees !== Number.POSITIVE_INFINITY;
  }

  /** Would a refresh at this commit show anything new? */
  hasUnrefreshed(published: number): boolean {
    return this.#steps.at(-1)!.sees < published;
  }

  /** The commit that a snapshot sees. O(log refreshes). */
  visibleCommit(snapshot: number): number {
    let low = 1;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#steps[middle]!.from <= snapshot) low = middle + 1;
      else high = middle;
    }
    return Math.min(snapshot, this.#steps[low - 1]!.sees);
  }

  /** From `published` on, snapshots see that commit (a refresh), or each its own. What no snapshot from `oldest` on needs is forgotten. */
  record(published: number, sees: 'refreshed' | 'own', oldest: number): void {
    const last = { from: published, sees: sees === 'own' ? Number.POSITIVE_INFINITY : published };
    const before = this.#steps.filter(({ from }) => from < published);
    const needed = before.findLastIndex(({ from }) => from <= oldest);
    this.#steps = [...before.slice(Math.max(0, needed)), last];
  }

  /** Refreshes that are remembered. */
  get size(): number {
    return this.#steps.length;
  }
}
