// What was changed after this place in history? Records without their sources, commit by commit, as many as are asked
// for. Inside a commit they lie by sequence number, then index: an order that rewritten chunks can give as well.

import type { LogRecord } from '../format/record.ts';

/** A place: `item` is a sequence number in the commit, infinity for its end. */
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

/** Gathers a page, commit by commit, ascending. */
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

  /** The first commit of which something may be wanted. */
  get firstCommit(): number {
    return this.#after.item === Number.POSITIVE_INFINITY ? this.#after.commit + 1 : this.#after.commit;
  }

  begin(commit: number): void {
    this.#commit = commit;
    this.#group = [];
    this.#cut = false;
  }

  /** A record of the commit that was begun; any order, and copies of the same one. */
  add(record: LogRecord): void {
    const { commit, indexNumber, kind, seqNo, version, type } = record;
    if (commit === this.#after.commit && seqNo <= this.#after.item) return;
    this.#group.push({ commit, indexNumber, kind, seqNo, version, id: decoder.decode(record.id), type });
    // Of a huge commit no more is held than a page and some.
    if (this.#group.length >= this.#limit * 4 + 1_024) this.#shorten();
  }

  /** All of the commit was told. True when there is room for another one. */
  end(): boolean {
    this.#shorten();
    const over = this.#records.length + this.#group.length > this.#limit;
    if (over && this.#records.length > 0) return false;
    for (const record of this.#group) this.#records.push(record);
    const item = this.#cut ? this.#group.at(-1)!.seqNo : Number.POSITIVE_INFINITY;
    this.#next = { commit: this.#commit, item };
    return this.#records.length < this.#limit && !this.#cut;
  }

  /** The page. `upTo`: when the last commit that was told had room behind it, everything up to here was looked at. */
  page(upTo?: number): FeedPage {
    const next = upTo === undefined ? this.#next : { commit: upTo, item: Number.POSITIVE_INFINITY };
    return { records: this.#records, next };
  }

  /** In order, each once, and no more than a page; what shares a place with the last one stays. */
  #shorten(): void {
    const group = this.#group.sort((a, b) => a.seqNo - b.seqNo || a.indexNumber - b.indexNumber);
    const kept = group.filter(
      (record, at) =>
        at === 0 ||
        record.seqNo !== group[at - 1]!.seqNo ||
        record.indexNumber !== group[at - 1]!.indexNumber,
    );
    let end = Math.min(kept.length, this.#limit);
    while (end > 0 && end < kept.length && kept[end]!.seqNo === kept[end - 1]!.seqNo) end++;
    if (end < kept.length) this.#cut = true;
    kept.length = end;
    this.#group = kept;
  }
}
