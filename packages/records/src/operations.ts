// The registry of all operations. The worker threads find them here by name.

import { chatOperations } from './chat/chat-operations.ts';
import type { AnyOperation } from './contracts/operation.ts';
import { sweepOperations } from './entries/abandoned-spaces.ts';
import { feedOperations } from './feed/feed-operations.ts';
import { keyOperations } from './keys/key-operations.ts';
import { ledgerOperations } from './ledger/operations/ledger-operations.ts';
import { outboxOperations } from './outbox/event-operations.ts';
import { recordsState } from './store/records-state.ts';
import { sharedSecret } from './store/shared-secret.ts';
import { storeOperations } from './store/sqlite/check-store.ts';
import { recordsFence } from './store/write-fence.ts';
import { userOperations } from './users/user-operations.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

/** All operations by name. */
export const OPERATIONS: ReadonlyMap<string, AnyOperation> = new Map(
  [
    ...storeOperations,
    recordsFence,
    sharedSecret,
    recordsState,
    ...outboxOperations,
    ...feedOperations,
    ...sweepOperations,
    ...chatOperations,
    ...ledgerOperations,
    ...keyOperations,
    ...webhookOperations,
    ...userOperations,
  ].map((operation) => [operation.name, operation]),
);
