// The positions of scrolls that this server has served: for clients that always send the first scroll id, and
// for pages requested again. The ids contain the same state, so nothing is lost if an entry is.

import type { JsonValue } from '@octavo/engine';
import QuickLRU from 'quick-lru';

export interface ScrollPosition {
  /** The number of the last page served. */
  readonly last: number;
  /** The present point in time. */
  readonly pit: string;
  /** When the scroll expires, in milliseconds since 1970. */
  readonly until: number;
  /** The sort values of the last hit of a page. */
  endOfPage(seq: number): JsonValue[] | undefined;
}

interface ServedPage {
  readonly seq: number;
  /** The sort values of its last hit. */
  readonly end: JsonValue[];
  readonly pit: string;
  readonly until: number;
}

interface ScrollEntry {
  last: number;
  pit: string;
  until: number;
  readonly caller: string;
  readonly ends: QuickLRU<number, JsonValue[]>;
}

// Minimums; quick-lru keeps up to twice as many.
const MAX_WALKS = 5_000;
const MAX_PAGES = 500;
const MAX_CLOSED = 10_000;

/** The scrolls of one server. Bounded; the least recently used are dropped. */
export class ScrollPositions {
  readonly #walks = new QuickLRU<string, ScrollEntry>({ maxSize: MAX_WALKS });
  readonly #closed = new QuickLRU<string, true>({ maxSize: MAX_CLOSED });

  get(name: string): ScrollPosition | undefined {
    const entry = this.#walks.get(name);
    if (entry === undefined) return undefined;
    return { last: entry.last, pit: entry.pit, until: entry.until, endOfPage: (seq) => entry.ends.get(seq) };
  }

  /** Records a served page. */
  record(name: string, caller: string, { seq, end, pit, until }: ServedPage): void {
    const entry = this.#walks.get(name) ?? {
      last: 0,
      pit,
      until,
      caller,
      ends: new QuickLRU({ maxSize: MAX_PAGES }),
    };
    this.#walks.set(name, entry);
    entry.last = Math.max(entry.last, seq);
    entry.pit = pit;
    entry.until = Math.max(entry.until, until);
    entry.ends.set(seq, end);
  }

  /** Marks a scroll as closed, so that it is not opened again. */
  close(name: string): void {
    this.#walks.delete(name);
    this.#closed.set(name, true);
  }

  isClosed(name: string): boolean {
    return this.#closed.has(name);
  }

  ofCaller(caller: string): { name: string; pit: string }[] {
    return [...this.#walks]
      .filter(([, entry]) => entry.caller === caller)
      .map(([name, { pit }]) => ({ name, pit }));
  }
}
