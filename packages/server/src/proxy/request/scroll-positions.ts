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

export interface ServedPage {
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
    const kept = this.#walks.get(name);
    if (kept === undefined) return undefined;
    return { last: kept.last, pit: kept.pit, until: kept.until, endOfPage: (seq) => kept.ends.get(seq) };
  }

  /** Records a served page. */
  record(name: string, caller: string, { seq, end, pit, until }: ServedPage): void {
    const kept = this.#walks.get(name) ?? {
      last: 0,
      pit,
      until,
      caller,
      ends: new QuickLRU({ maxSize: MAX_PAGES }),
    };
    this.#walks.set(name, kept);
    kept.last = Math.max(kept.last, seq);
    kept.pit = pit;
    kept.until = Math.max(kept.until, until);
    kept.ends.set(seq, end);
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
      .filter(([, kept]) => kept.caller === caller)
      .map(([name, { pit }]) => ({ name, pit }));
  }
}
