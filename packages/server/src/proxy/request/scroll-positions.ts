// Where do the scrolls stand that this server has given pages of? Kept for clients that send the first id for ever, and for
// those that ask for a page again. What is lost here is in the ids as well.

import type { JsonValue } from '@octavo/engine';
import QuickLRU from 'quick-lru';

/** One scroll. */
export interface KnownWalk {
  /** The number of the last page that was given out. */
  readonly last: number;
  /** The point in time that it stands on now. */
  readonly pit: string;
  /** Milliseconds since 1970 at which it runs out. */
  readonly until: number;
  /** The sort values behind a page. */
  end(seq: number): JsonValue[] | undefined;
}

/** A page that was given out. */
export interface GivenPage {
  readonly seq: number;
  /** The sort values behind it. */
  readonly end: JsonValue[];
  readonly pit: string;
  readonly until: number;
}

interface Kept {
  last: number;
  pit: string;
  until: number;
  readonly caller: string;
  readonly ends: QuickLRU<number, JsonValue[]>;
}

// At least so many are kept, at most twice as many.
const MAX_WALKS = 5_000;
const MAX_PAGES = 500;
const MAX_CLOSED = 10_000;

/** The scrolls of one server. Bounded: those used longest ago go first. */
export class ClusterWalks {
  readonly #walks = new QuickLRU<string, Kept>({ maxSize: MAX_WALKS });
  readonly #closed = new QuickLRU<string, true>({ maxSize: MAX_CLOSED });

  of(name: string): KnownWalk | undefined {
    const kept = this.#walks.get(name);
    if (kept === undefined) return undefined;
    return { last: kept.last, pit: kept.pit, until: kept.until, end: (seq) => kept.ends.get(seq) };
  }

  /** A page was given out. */
  gave(name: string, caller: string, { seq, end, pit, until }: GivenPage): void {
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

  /** Closed: it is not opened again. */
  forget(name: string): void {
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
