// The table of API keys. Revoked keys stay, so that a server that once had keys is never open again.

import type { ColumnType } from 'kysely';
import { bytesType, INTEGER, type Migration } from './migration.ts';

type Integer = ColumnType<bigint, bigint | number, bigint | number>;
type OptionalInteger = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;

export interface KeyTables {
  api_key: ApiKeyTable;
}

/** Lists and objects are JSON text. Times in ms since 1970. */
export interface ApiKeyTable {
  id: string;
  name: string;
  /** SHA-256 of the secret. The secret is 256 random bits: nothing can be guessed, so no slow hash is needed. */
  hash: Uint8Array;
  /** The secret before the last rotation, while it is still valid. */
  previous_hash: Uint8Array | null;
  previous_until: OptionalInteger;
  scopes: string;
  index_patterns: string | null;
  document_filter: string | null;
  rate: string | null;
  metadata: string | null;
  /** The principal that made it. */
  created_by: string;
  created_at: Integer;
  updated_at: Integer;
  expires_at: OptionalInteger;
  revoked_at: OptionalInteger;
}

export const keyMigrations: readonly Migration[] = [
  {
    name: '0041-keys',
    async up(db, dialect) {
      await db.schema
        .createTable('api_key')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('hash', bytesType(dialect), (column) => column.notNull())
        .addColumn('previous_hash', bytesType(dialect))
        .addColumn('previous_until', INTEGER)
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('index_patterns', 'text')
        .addColumn('document_filter', 'text')
        .addColumn('rate', 'text')
        .addColumn('metadata', 'text')
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .addColumn('expires_at', INTEGER)
        .addColumn('revoked_at', INTEGER)
        .execute();
    },
  },
];
