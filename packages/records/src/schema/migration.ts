// A migration: a named step of the schema that runs once, in order, on both stores.

import type { ColumnDataType, Kysely } from 'kysely';

/** The store that a migration runs on, where it makes a difference. */
export type Dialect = 'sqlite' | 'postgres';

/** A step. Released steps never change; new ones go after them. */
export interface Migration {
  /** `0003-chat-read-positions`: four digits, unique over all rooms. */
  readonly name: string;
  /** Runs inside a transaction. Use Kysely's schema builder; plain `sql` only where both stores understand it. */
  readonly up: (db: Kysely<never>, dialect: Dialect) => Promise<void>;
}

/** Bytes. */
export function bytesType(dialect: Dialect): ColumnDataType {
  return dialect === 'sqlite' ? 'blob' : 'bytea';
}

/** Integers of 64 bits. SQLite gives a column of this type the affinity of its integers. */
export const INTEGER = 'bigint';
