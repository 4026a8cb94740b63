// Which steps made the schema? All of them, in order: rooms add theirs at the end with the next number.

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
