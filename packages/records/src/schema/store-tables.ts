// The tables of the store itself: the highest id that each space (a feed, a chat, the journal) has given,
// shared secrets, and fences.

import { bytesType, INTEGER, type Migration } from './migration.ts';

export interface StoreTables {
  space: SpaceTable;
  migration: MigrationTable;
  secret: SecretTable;
  move_fence: FenceTable;
}

/** Ids of a space rise strictly: the next one is above `last_id`, whatever the clock says. */
export interface SpaceTable {
  name: string;
  last_id: string;
}

/** Random bytes that all processes of a store share. */
export interface SecretTable {
  name: string;
  value: Uint8Array;
}

/** Why nothing is written. */
export interface Fence {
  /** `gone`: the records moved to `place`. `coming`: they come from `place` and are not complete. */
  readonly state: 'gone' | 'coming';
  /** An address without name and password, for the operator and not for callers. */
  readonly place: string;
  /** The newest event and the transfers there were when they went. */
  readonly event: bigint;
  readonly transfers: bigint;
  /** When they left or began to arrive. */
  readonly time: bigint;
  /** A random name of the move, the same on both sides: places have several spellings. Empty where one was given up. */
  readonly move: string;
}

/** `writes`: why nothing may be written (store/write-fence.ts). `came`: how the records came here, which stays. Each one row, or none. */
export interface FenceTable extends Fence {
  name: 'writes' | 'came';
}

/** Steps that have run. */
export interface MigrationTable {
  name: string;
  time: bigint;
}

export const storeMigrations: readonly Migration[] = [
  {
    name: '0001-spaces',
    async up(db) {
      await db.schema
        .createTable('space')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('last_id', 'text', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: '0072-secrets',
    async up(db, dialect) {
      await db.schema
        .createTable('secret')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', bytesType(dialect), (column) => column.notNull())
        .execute();
    },
  },
  {
    name: '0090-move-fence',
    async up(db) {
      await db.schema
        .createTable('move_fence')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('place', 'text', (column) => column.notNull())
        .addColumn('event', INTEGER, (column) => column.notNull())
        .addColumn('transfers', INTEGER, (column) => column.notNull())
        .addColumn('time', INTEGER, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: '0091-move-name',
    async up(db) {
      const none = db.schema.alterTable('move_fence');
      await none.addColumn('move', 'text', (column) => column.notNull().defaultTo('')).execute();
    },
  },
  {
    // Page checksums lie in a file of their own. An older version would change pages without updating them.
    name: '0100-page-sums',
    async up() {},
  },
];
