// Documents deleted during the last minute (the peer's index.gc_deletes), bounded in number. Their versions
// must not start again at 1, and a late write with an external version must not undercut the delete.

/** The version of an id that a write meets: a live document, or a recent delete. */
export interface CurrentVersion {
  readonly alive: boolean;
  readonly version: number;
  readonly seqNo: number;
  readonly type: string;
}

const KEEP_MS = 60_000;
const MAX_TOMBSTONES = 100_000;

interface Tombstone extends CurrentVersion {
  readonly at: number;
}

/**
 * Recent deletes of one index. Map order is time order, so pruning looks at the oldest entries only. It keeps
 * its iterator: a new one would walk over the slots of all entries deleted from the map.
 */
export class Tombstones {
  readonly #byId = new Map<string, Tombstone>();
  #ages: MapIterator<[string, Tombstone]> = this.#byId.entries();
  #oldest: [string, Tombstone] | undefined;

  get size(): number {
    return this.#byId.size;
  }

  put(id: string, version: number, seqNo: number, type: string, now: number): void {
    this.#byId.delete(id);
    this.#byId.set(id, { alive: false, version, seqNo, type, at: now });
    this.#prune(now);
  }

  #prune(now: number): void {
    for (; (this.#oldest ??= this.#next()) !== undefined; this.#oldest = undefined) {
      const [oldest, tombstone] = this.#oldest;
      if (this.#byId.get(oldest) !== tombstone) continue;
      if (tombstone.at > now - KEEP_MS && this.#byId.size <= MAX_TOMBSTONES) return;
      this.#byId.delete(oldest);
    }
  }

  #next(): [string, Tombstone] | undefined {
    const next = this.#ages.next();
    if (next.done !== true) return next.value;
    this.#ages = this.#byId.entries();
    return this.#ages.next().value;
  }

  get(id: string, now: number): CurrentVersion | undefined {
    const tombstone = this.#byId.get(id);
    return tombstone !== undefined && tombstone.at > now - KEEP_MS ? tombstone : undefined;
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }

  /** Removes deletes whose log write failed. */
  removeFrom(seqNo: number): void {
    for (const [id, tombstone] of this.#byId) if (tombstone.seqNo >= seqNo) this.#byId.delete(id);
  }
}
