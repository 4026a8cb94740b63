// The table of stored answers: one row for each key of a caller, for a day.

import { bytesType, INTEGER, type Migration } from './migration.ts';

export interface IdempotencyTables {
  idempotency: IdempotencyTable;
}

/** `answer` is the outcome as `v8.serialize` writes it: it holds bigints and undefined as they are. */
export interface IdempotencyTable {
  principal: string;
  key: string;
  fingerprint: string;
  answer: Uint8Array;
  /** Milliseconds since 1970. */
  time: bigint;
}

export const idempotencyMigrations: readonly Migration[] = [
  {
    name: '0003-idempotency',
    async up(db, dialect) {
      await db.schema
        .createTable('idempotency')
        .addColumn('principal', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('answer', bytesType(dialect), (column) => column.notNull())
        .addColumn('time', INTEGER, (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotency_key', ['principal', 'key'])
        .execute();
      await db.schema.createIndex('idempotency_time').on('idempotency').column('time').execute();
    },
  },
];
