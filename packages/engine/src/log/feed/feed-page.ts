// A page of the change feed: records without their sources, commit by commit. Within a commit they are
// ordered by sequence number, then by index, an order that rewritten chunks can give as well.

import type { LogRecord } from '../format/record.ts';

/** A position: `item` is a sequence number in the commit, or infinity for its end. */
export interface FeedPosition {
  readonly commit: number;
  readonly item: number;
}

/** A record of the log without its source. */
export interface FeedRecord {
  readonly commit: number;
  readonly indexNumber: number;
  readonly kind: 'index' | 'delete';
  readonly seqNo: number;
  readonly version: number;
  readonly id: string;
  readonly type: string | undefined;
}

/** A page of the feed. */
export interface FeedPage {
  readonly records: FeedRecord[];
  readonly next: FeedPosition;
}

const decoder = new TextDecoder();

/** Builds a page, commit by commit, ascending. */
export class FeedPageBuilder {
  readonly #after: FeedPosition;
  readonly #limit: number;
  readonly #records: FeedRecord[] = [];
  #next: FeedPosition;
  #commit = 0;
  #group: FeedRecord[] = [];
  #cut = false;

  constructor(after: FeedPosition, limit: number) {
    this.#after = after;
    this.#next = after;
    this.#limit = limit;
  }

  /** The first commit of which records may belong to the page. */
  get firstCommit(): number {
    return this.#after.item === Number.POSITIVE_INFINITY ? this.#after.commit + 1 : this.#after.commit;
  }

  begin(commit: number): void {
    this.#commit = commit;
    this.#group = [];
    this.#cut = false;
  }

  /** Adds a record of the current commit, in any order; duplicates are dropped. */
  add(record: LogRecord): void {
    const { commit, indexNumber, kind, seqNo, version, type } = record;
    if (commit === this.#after.commit && seqNo <= this.#after.item) return;
    this.#group.push({ commit, indexNumber, kind, seqNo, version, id: decoder.decode(record.id), type });
    // Keep little more than a page of a huge commit.
    if (this.#group.length >= this.#limit * 4 + 1_024) this.#shorten();
  }

  /** Ends the current commit. True if the page has room for another one. */
  end(): boolean {
    this.#shorten();
    const over = this.#records.length + this.#group.length > this.#limit;
    if (over && this.#records.length > 0) return false;
    for (const record of this.#group) this.#records.push(record);
    const item = this.#cut ? this.#group.at(-1)!.seqNo : Number.POSITIVE_INFINITY;
    this.#next = { commit: this.#commit, item };
    return this.#records.length < this.#limit && !this.#cut;
  }

  /** The page. `upTo` if there was room after the last commit: everything up to this commit was read. */
  page(upTo?: number): FeedPage {
    const next = upTo === undefined ? this.#next : { commit: upTo, item: Number.POSITIVE_INFINITY };
    return { records: this.#records, next };
  }

  /**
   * Sorts, drops duplicates and cuts to a page; records with the sequence number of the last one stay
   * together.
   */
  #shorten(): void {
    const group = this.#group.sort((a, b) => a.seqNo - b.seqNo || a.indexNumber - b.indexNumber);
    const unique = group.filter(
      (record, at) =>
        at === 0 ||
        record.seqNo !== group[at - 1]!.seqNo ||
        record.indexNumber !== group[at - 1]!.indexNumber,
    );
    let end = Math.min(unique.length, this.#limit);
    while (end > 0 && end < unique.length && unique[end]!.seqNo === unique[end - 1]!.seqNo) end++;
    if (end < unique.length) this.#cut = true;
    unique.length = end;
    this.#group = unique;
  }
}
