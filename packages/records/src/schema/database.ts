// All tables, as the type by which queries are checked.

import type { ChatTables } from './chat-tables.ts';
import type { EntryTables } from './entry-tables.ts';
import type { IdempotencyTables } from './idempotency-tables.ts';
import type { KeyTables } from './key-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { OutboxTables } from './outbox-tables.ts';
import type { StoreTables } from './store-tables.ts';
import type { UserTables } from './user-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** All tables, as Kysely types them. Integers are bigint when read, on both stores. */
export interface Database
  extends StoreTables,
    OutboxTables,
    IdempotencyTables,
    EntryTables,
    ChatTables,
    LedgerTables,
    KeyTables,
    WebhookTables,
    UserTables {}
