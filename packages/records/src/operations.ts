// Which operations are there? Worker threads find them here by name; each room lists its own.

import { chatOperations } from './chat/operations.ts';
import type { AnyOperation } from './contracts/operation.ts';
import { sweepOperations } from './entries/sweep.ts';
import { userOperations } from './entries/users/operations.ts';
import { feedOperations } from './feed/operations.ts';
import { keyOperations } from './keys/operations.ts';
import { ledgerOperations } from './ledger/operations/ledger-operations.ts';
import { outboxOperations } from './outbox/operations.ts';
import { recordsFence } from './store/fence.ts';
import { sharedSecret } from './store/secrets.ts';
import { storeOperations } from './store/sqlite/check.ts';
import { recordsState } from './store/state.ts';
import { webhookOperations } from './webhooks/operations.ts';

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
