// A section of a list: from a position in a direction, at most to another position. Tokens carry it.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { Entry } from '../entry.ts';
import type { Tag } from '../tags.ts';
import { type Bounds, type ListDirection, liveEntries } from './entry-queries.ts';

/** Where a page begins and where its list ends. Tokens carry it. */
export interface ListSection {
  readonly towards: ListDirection;
  /** The page begins next to this position; absent: at the end of the list opposite to `towards`. */
  readonly from?: number | undefined;
  /** The list ends before this position; absent: with its last entry. */
  readonly until?: number | undefined;
}

/** One page of a stretch. */
interface SectionPage {
  /** Newest first, in either direction. */
  readonly entries: readonly Entry[];
  /** The one beyond the page. */
  readonly extra: Entry | undefined;
}

/** The first `limit` entries of a stretch and the one after them. */
export async function readSection(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  stretch: ListSection,
  limit: number,
): Promise<SectionPage> {
  const found = await liveEntries(db, space, tags, boundsOf(stretch), stretch.towards, limit + 1);
  const entries = found.slice(0, limit);
  return { entries: stretch.towards === 'older' ? entries : entries.reverse(), extra: found[limit] };
}

/** The entry next to a position; undefined at the end of the list. */
export async function adjacentEntry(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  from: number,
  towards: ListDirection,
): Promise<Entry | undefined> {
  const [found] = await liveEntries(db, space, tags, boundsOf({ from, towards }), towards, 1);
  return found;
}

function boundsOf({ towards, from, until }: ListSection): Bounds {
  return towards === 'older' ? { below: from, above: until } : { above: from, below: until };
}
