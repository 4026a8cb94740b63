// What can be asked of the ledger? All its operations, for the threads that run them.

import type { AnyOperation } from '../../contracts/operation.ts';
import { verifyOperations } from '../sqlite/sqlite-audit.ts';
import { accountOperations } from './account-operations.ts';
import { holdListOperations } from './hold-list.ts';
import { holdOperations } from './hold-operations.ts';
import { historyOperations } from './journal-operations.ts';
import { transferOperations } from './transfer-operations.ts';

export const ledgerOperations: readonly AnyOperation[] = [
  ...accountOperations,
  ...transferOperations,
  ...holdOperations,
  ...holdListOperations,
  ...historyOperations,
  ...verifyOperations,
];
