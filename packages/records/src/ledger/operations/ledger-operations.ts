// All operations of the ledger, for the registry.

import type { AnyOperation } from '../../contracts/operation.ts';
import { accountOperations } from './account-operations.ts';
import { holdListOperations } from './hold-list.ts';
import { holdOperations } from './hold-operations.ts';
import { journalOperations } from './journal-operations.ts';
import { transferOperations } from './transfer-operations.ts';

export const ledgerOperations: readonly AnyOperation[] = [
  ...accountOperations,
  ...transferOperations,
  ...holdOperations,
  ...holdListOperations,
  ...journalOperations,
];
