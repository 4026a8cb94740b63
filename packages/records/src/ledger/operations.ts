// What can be asked of the ledger? All its operations, for the threads that run them.

import type { AnyOperation } from '../contracts/operation.ts';
import { accountOperations } from './accounts.ts';
import { holdListOperations } from './hold-list.ts';
import { holdOperations } from './holds.ts';
import { historyOperations } from './journal/history.ts';
import { transferOperations } from './transfers.ts';
import { verifyOperations } from './verify.ts';

export const ledgerOperations: readonly AnyOperation[] = [
  ...accountOperations,
  ...transferOperations,
  ...holdOperations,
  ...holdListOperations,
  ...historyOperations,
  ...verifyOperations,
];
