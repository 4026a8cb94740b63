// Which pages are asked for again and again? The first page of a feed is, by everybody. As long as nothing is written, the
// bytes of the last few such pages are sent as they were printed. A page is kept when it is asked for a second time among
// the last few, so that walks and jumps neither pay for this nor push out what does.

import type { Template, Values } from './templates.ts';

const MOST_PAGES = 64;
const LARGEST = 131_072;

/** A page that was printed, with room for a head before it. */
export interface KeptPage {
  /** What it was printed of: any other state of the index makes it worthless. */
  readonly state: object;
  readonly bytes: Buffer;
}

/** The name of a page: templates are numbered, and belong to one caller. */
export function pageName(
  { number }: Template,
  { from, page, search_after, next_token, prev_token }: Values,
): string {
  const place = `${number} ${from ?? ''} ${page ?? ''} ${search_after ?? ''}`;
  const isWalk = next_token !== undefined || prev_token !== undefined;
  return isWalk ? `${place} ${next_token ?? ''} ${prev_token ?? ''}` : place;
}

/** The last few pages that were asked for twice. */
export class RecentPages {
  readonly #kept = new Map<string, KeptPage>();
  /** Names of pages that were asked for once. */
  readonly #seen = new Set<string>();

  /** The page, if it is kept. */
  find(name: string): KeptPage | undefined {
    return this.#kept.get(name);
  }

  /** Is it worth to keep a page of so many bytes? Counts as a time that it was asked for. */
  isWorth(name: string, bytes: number): boolean {
    if (this.#seen.delete(name) || this.#kept.has(name)) return bytes <= LARGEST;
    this.#seen.add(name);
    if (this.#seen.size > MOST_PAGES) dropOldest(this.#seen);
    return false;
  }

  keep(name: string, page: KeptPage): void {
    this.#kept.delete(name);
    this.#kept.set(name, page);
    if (this.#kept.size > MOST_PAGES) dropOldest(this.#kept);
  }

  /** Its bytes are somebody else's now. */
  forget(name: string): void {
    this.#kept.delete(name);
  }
}

function dropOldest(list: Map<string, unknown> | Set<string>): void {
  for (const name of list.keys()) {
    list.delete(name);
    return;
  }
}
