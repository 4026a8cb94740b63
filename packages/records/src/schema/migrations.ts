// Which steps made the schema? All of them, in order: rooms add theirs at the end with the next number.

import { chatMigrations } from '../chat/tables.ts';
import { entryMigrations } from '../entries/tables.ts';
import { userMigrations } from '../entries/users/tables.ts';
import { idempotencyMigrations } from '../idempotency/tables.ts';
import { keyMigrations } from '../keys/tables.ts';
import { severalMigrations } from '../ledger/several/tables.ts';
import { ledgerMigrations } from '../ledger/tables.ts';
import { outboxMigrations } from '../outbox/tables.ts';
import { spaceMigrations } from '../store/tables.ts';
import { webhookMigrations } from '../webhooks/tables.ts';
import type { Migration } from './migration.ts';

/** In the order of their names. */
export const MIGRATIONS: readonly Migration[] = [
  ...spaceMigrations,
  ...outboxMigrations,
  ...idempotencyMigrations,
  ...entryMigrations,
  ...chatMigrations,
  ...ledgerMigrations,
  ...severalMigrations,
  ...keyMigrations,
  ...webhookMigrations,
  ...userMigrations,
].sort((a, b) => (a.name < b.name ? -1 : 1));
