// The refreshes of one index, for indices that are refreshed manually (refresh_interval -1). A snapshot sees
// what the last refresh before it showed, for ever: a lease keeps its picture when others refresh. So the
// history maps snapshot numbers to commits.
//
//   commits    1 2 3 4 5 6 7 8 9          refreshes at 3 and 7; a lease on 5 sees 3, and keeps seeing it
//   seen       0 0 3 3 3 3 7 7 7

interface Step {
  /** The first snapshot number it applies to. */
  readonly from: number;
  /** The commit that these snapshots see; infinity if each sees its own. */
  readonly sees: number;
}

/** The history of one index. */
export class RefreshHistory {
  /** Ascending, the last one in force. */
  #steps: Step[];

  /**
   * `sees`: the commit that searches see until the first refresh; infinity if every commit is visible at
   * once.
   */
  constructor(sees: number = Number.POSITIVE_INFINITY) {
    this.#steps = [{ from: 0, sees }];
  }

  /** Whether searches see the last refresh only. */
  get isManual(): boolean {
    return this.#steps.at(-1)!.sees !== Number.POSITIVE_INFINITY;
  }

  /** Whether a refresh at this commit would show anything new. */
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

  /**
   * From `published` on, snapshots see that commit (a refresh), or each its own. Steps before the `oldest`
   * held snapshot are dropped.
   */
  record(published: number, sees: 'refreshed' | 'own', oldest: number): void {
    const last = { from: published, sees: sees === 'own' ? Number.POSITIVE_INFINITY : published };
    const before = this.#steps.filter(({ from }) => from < published);
    const needed = before.findLastIndex(({ from }) => from <= oldest);
    this.#steps = [...before.slice(Math.max(0, needed)), last];
  }

  /** Number of steps kept. */
  get size(): number {
    return this.#steps.length;
  }
}
