// How is the outbox kept? One row an event, numbered in commit order.

import type { Generated } from 'kysely';
import { INTEGER, type Migration } from '../schema/migration.ts';

export interface OutboxTables {
  outbox: OutboxTable;
  outbox_floor: OutboxFloorTable;
}

/** One row at most: the highest position that was forgotten. */
export interface OutboxFloorTable {
  position: bigint;
}

/** `data` is JSON text. */
export interface OutboxTable {
  position: Generated<bigint>;
  time: bigint;
  type: string;
  subject: string;
  data: string;
}

export const outboxMigrations: readonly Migration[] = [
  {
    name: '0002-outbox',
    async up(db, dialect) {
      // AUTOINCREMENT: a position is never given twice, not even after the newest rows were removed.
      await db.schema
        .createTable('outbox')
        .addColumn('position', dialect === 'sqlite' ? 'integer' : INTEGER, (column) =>
          dialect === 'sqlite'
            ? column.primaryKey().autoIncrement()
            : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn('time', INTEGER, (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('data', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('outbox_time').on('outbox').column('time').execute();
    },
  },
  {
    name: '0043-outbox-floor',
    async up(db) {
      await db.schema
        .createTable('outbox_floor')
        .addColumn('position', INTEGER, (column) => column.notNull())
        .execute();
    },
  },
];
