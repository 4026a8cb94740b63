// Counts open leases by index and kind as they open and end, so that figures need not look at every lease.

/** Leases by kind. */
export type CountByKind = Readonly<Record<string, number>>;

const NONE: CountByKind = Object.freeze({});

/** Counts by index and kind. */
export class LeaseCounts {
  readonly #byIndex = new Map<string, Map<string, number>>();

  /** One more lease of a kind, or one less. O(indices). */
  add(kind: string, indices: readonly string[], by: 1 | -1): void {
    for (const index of indices) {
      const byKind = this.#byIndex.get(index) ?? new Map<string, number>();
      const count = (byKind.get(kind) ?? 0) + by;
      if (count > 0) byKind.set(kind, count);
      else byKind.delete(kind);
      if (byKind.size > 0) this.#byIndex.set(index, byKind);
      else this.#byIndex.delete(index);
    }
  }

  of(index: string): CountByKind {
    const byKind = this.#byIndex.get(index);
    return byKind === undefined ? NONE : Object.fromEntries(byKind);
  }
}
