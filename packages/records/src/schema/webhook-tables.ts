// The table of webhooks: one row for an endpoint, with its owner, the position of its last delivery, and its
// failures.

import type { ColumnType } from 'kysely';
import { INTEGER, type Migration } from './migration.ts';

type Integer = ColumnType<bigint, bigint | number, bigint | number>;
type OptionalInteger = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;

export interface WebhookTables {
  webhook: WebhookTable;
}

/** Times in ms since 1970; `types` and `owner` are JSON text. */
export interface WebhookTable {
  id: string;
  url: string;
  types: string;
  subject: string | null;
  /** In clear: signing needs it. */
  secret: string;
  /** The principal whose rights limit the events it receives. */
  owner: string;
  /** The composite position of the event stream after the last event that was delivered. */
  position: string;
  created_at: Integer;
  updated_at: Integer;
  disabled_at: OptionalInteger;
  /** Why it is disabled, in words. */
  disabled_reason: string | null;
  failures: Integer;
  failing_since: OptionalInteger;
  next_attempt_at: OptionalInteger;
  delivered_at: OptionalInteger;
  last_error: string | null;
  /** The process that delivers, where there are several, and the end of its lease. */
  leased_by: string | null;
  leased_until: OptionalInteger;
}

export const webhookMigrations: readonly Migration[] = [
  {
    name: '0042-webhooks',
    async up(db) {
      await db.schema
        .createTable('webhook')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('types', 'text', (column) => column.notNull())
        .addColumn('subject', 'text')
        .addColumn('secret', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('position', 'text', (column) => column.notNull())
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .addColumn('disabled_at', INTEGER)
        .addColumn('disabled_reason', 'text')
        .addColumn('failures', INTEGER, (column) => column.notNull())
        .addColumn('failing_since', INTEGER)
        .addColumn('next_attempt_at', INTEGER)
        .addColumn('delivered_at', INTEGER)
        .addColumn('last_error', 'text')
        .execute();
    },
  },
  {
    name: '0071-webhook-lease',
    async up(db) {
      await db.schema.alterTable('webhook').addColumn('leased_by', 'text').execute();
      await db.schema.alterTable('webhook').addColumn('leased_until', INTEGER).execute();
    },
  },
];
