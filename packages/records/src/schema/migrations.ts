// All migrations in order. A new one goes to the end of its file, with the next free number.

import { chatMigrations } from './chat-tables.ts';
import { entryMigrations } from './entry-tables.ts';
import { idempotencyMigrations } from './idempotency-tables.ts';
import { keyMigrations } from './key-tables.ts';
import { ledgerPostgresMigrations } from './ledger-postgres-tables.ts';
import { ledgerMigrations } from './ledger-tables.ts';
import type { Migration } from './migration.ts';
import { outboxMigrations } from './outbox-tables.ts';
import { storeMigrations } from './store-tables.ts';
import { userMigrations } from './user-tables.ts';
import { webhookMigrations } from './webhook-tables.ts';

/** In the order of their names. */
export const MIGRATIONS: readonly Migration[] = [
  ...storeMigrations,
  ...outboxMigrations,
  ...idempotencyMigrations,
  ...entryMigrations,
  ...chatMigrations,
  ...ledgerMigrations,
  ...ledgerPostgresMigrations,
  ...keyMigrations,
  ...webhookMigrations,
  ...userMigrations,
].sort((a, b) => (a.name < b.name ? -1 : 1));
