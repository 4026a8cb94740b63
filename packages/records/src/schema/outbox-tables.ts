// The tables of the outbox: one row for an event, numbered in commit order. Where several processes write, an
// event waits in a queue and is numbered after its commit.

import type { ColumnType, Generated } from 'kysely';
import { sql } from './kysely.ts';
import { INTEGER, type Migration } from './migration.ts';

export interface OutboxTables {
  outbox: OutboxTable;
  outbox_floor: OutboxFloorTable;
  outbox_queue: OutboxQueueTable;
  outbox_head: OutboxHeadTable;
  document_intent: DocumentIntentTable;
  follower: FollowerTable;
}

/** Document writes in a cluster that have begun and have no events yet (outbox/write-intents.ts). */
export interface DocumentIntentTable {
  id: string;
  /** The end of the lease of the server that began it, in ms since 1970. Then any server may look up the outcome. */
  until: bigint;
  /** JSON text: the documents or the query. */
  data: string;
}

/** When events of a kind were last read by anybody: one row for each kind, `documents` only. */
export interface FollowerTable {
  name: string;
  time: bigint;
}

/** Only on PostgreSQL: events that have no position yet. Numbers rise with the commits of a space, not of all. */
export interface OutboxQueueTable {
  number: Generated<bigint>;
  time: ColumnType<bigint, bigint | number, never>;
  type: string;
  subject: string;
  data: string;
  /** Events of this row. */
  count: Generated<bigint>;
}

/** Only on PostgreSQL: one row, the newest position. The process that locks it gives the next ones. */
export interface OutboxHeadTable {
  position: bigint;
}

/** One row at most: the highest position that was forgotten. */
export interface OutboxFloorTable {
  position: bigint;
}

/**
 * `data` is JSON text. A row may stand for many transfers, `transfer.created` each: then it has the position of the last,
 * and its contents are in the journal. Or for many documents, which are in its `data` (outbox/event-rows.ts).
 */
export interface OutboxTable {
  position: Generated<bigint>;
  time: bigint;
  type: string;
  subject: string;
  data: string;
  /** The position in the journal of the first transfer; null for any other event. */
  journal: bigint | null;
  /** Events of this row. */
  count: Generated<bigint>;
}

export const outboxMigrations: readonly Migration[] = [
  {
    name: '0002-outbox',
    async up(db, dialect) {
      // AUTOINCREMENT: a position is never given twice, not even after the newest rows were removed.
      await db.schema
        .createTable('outbox')
        .addColumn('position', dialect === 'sqlite' ? 'integer' : INTEGER, (column) =>
          dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
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
  {
    name: '0044-outbox-queue',
    async up(db, dialect) {
      if (dialect === 'sqlite') return;
      await db.schema
        .createTable('outbox_queue')
        .addColumn('number', INTEGER, (column) => column.primaryKey().generatedAlwaysAsIdentity())
        .addColumn('time', INTEGER, (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('data', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('outbox_head')
        .addColumn('position', INTEGER, (column) => column.notNull())
        .execute();
      await sql`insert into outbox_head (position) values (0)`.execute(db);
    },
  },
  {
    name: '0060-outbox-journal',
    async up(db) {
      await db.schema.alterTable('outbox').addColumn('journal', INTEGER).execute();
      await db.schema
        .alterTable('outbox')
        .addColumn('count', INTEGER, (column) => column.notNull().defaultTo(1))
        .execute();
    },
  },
  {
    // No query uses the time of events: they are forgotten in the order of their positions.
    name: '0063-outbox-without-times',
    async up(db) {
      await db.schema.dropIndex('outbox_time').execute();
    },
  },
  {
    // Events of documents share rows, which an older version could not read.
    name: '0084-outbox-documents',
    async up(db, dialect) {
      if (dialect === 'sqlite') return;
      await db.schema
        .alterTable('outbox_queue')
        .addColumn('count', INTEGER, (column) => column.notNull().defaultTo(1))
        .execute();
    },
  },
  {
    name: '0095-document-intents',
    async up(db) {
      await db.schema
        .createTable('document_intent')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('until', INTEGER, (column) => column.notNull())
        .addColumn('data', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('document_intent_until').on('document_intent').column('until').execute();
      await db.schema
        .createTable('follower')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('time', INTEGER, (column) => column.notNull())
        .execute();
    },
  },
];
