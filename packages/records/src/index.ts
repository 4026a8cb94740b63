// The door of records.

export {
  type ErrorKind,
  RECORDS_ERRORS,
  RecordsError,
  type RecordsErrorCode,
  type RecordsErrorFields,
} from './errors.ts';
export type * from './events.ts';
export type {
  IdempotentCall,
  ReadOperation,
  Records,
  WriteOperation,
  WriteOptions,
} from './operation.ts';
export { eventsAfter } from './outbox/operations.ts';
