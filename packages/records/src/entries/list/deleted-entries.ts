// The entries of a pinned list that were deleted since. A few are fetched at once; many are looked up by
// range.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { Pin } from '../pin.ts';
import type { ExtraCounts } from '../rank-tree.ts';
import { countsByRange, FAN_OUT } from '../rank-tree.ts';
import type { Space } from '../space.ts';

/** An entry that was deleted. */
export interface DeletedEntry {
  readonly position: number;
  readonly id: string;
}

/** The entries of a pinned list that were deleted since. */
interface DeletedEntries {
  readonly byRange: ExtraCounts;
  /** The newest of them up to a position, newest first. */
  upTo(highest: number, limit: number): Promise<readonly DeletedEntry[]>;
}

/** Up to this many changes since the pin, reading all is cheaper than counting by range. */
const FEW = 100;

/** Undefined where nothing has changed since. O(changes since), or O(stored deletions) where these are many. */
export async function deletedSince(
  db: Kysely<Database>,
  space: Space,
  pin: Pin,
): Promise<DeletedEntries | undefined> {
  if (pin.change >= space.changes) return undefined;
  const deletions = deletionsOf(db, space.number, pin);
  return space.changes - pin.change <= FEW ? inMemory(await rowsOf(deletions)) : inDatabase(deletions);
}

function inMemory(all: readonly DeletedEntry[]): DeletedEntries {
  return {
    byRange: async (level, first, last) => {
      const counts = countsByRange(
        all.map(({ position }) => position),
        level,
      );
      return [...counts]
        .filter(([range]) => range >= first && range <= last)
        .map(([range, count]) => ({ range, count }));
    },
    upTo: async (highest, limit) => all.filter(({ position }) => position <= highest).slice(0, limit),
  };
}

function inDatabase(deletions: Deletions): DeletedEntries {
  return {
    byRange: async (level, first, last) => {
      const size = FAN_OUT ** level;
      const rows = await deletions
        .where('position', '>=', BigInt(first * size))
        .where('position', '<', BigInt((last + 1) * size))
        .select([sql<bigint>`position / ${BigInt(size)}`.as('range'), sql<bigint>`count(*)`.as('count')])
        .groupBy('range')
        .execute();
      return rows.map(({ range, count }) => ({ range: Number(range), count: Number(count) }));
    },
    upTo: async (highest, limit) =>
      await rowsOf(deletions.where('position', '<=', BigInt(highest)).limit(limit)),
  };
}

type Deletions = ReturnType<typeof deletionsOf>;

function deletionsOf(db: Kysely<Database>, space: number, pin: Pin) {
  return db
    .selectFrom('entry_change')
    .where('space', '=', BigInt(space))
    .where('change', '>', BigInt(pin.change))
    .where('position', '<', BigInt(pin.positions))
    .where('deleted_id', 'is not', null);
}

async function rowsOf(deletions: Deletions): Promise<DeletedEntry[]> {
  const rows = await deletions.select(['position', 'deleted_id']).orderBy('position', 'desc').execute();
  return rows.map(({ position, deleted_id }) => ({ position: Number(position), id: deleted_id ?? '' }));
}
