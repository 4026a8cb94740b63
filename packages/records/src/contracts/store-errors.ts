// Classifies the failures of a store, and packs errors so that they cross threads. A full disk refuses the
// current writes; any other failure of the device ends all writing, since nobody can know what a failed sync
// has stored (Rebello et al., ATC 2020).

import { RecordsError, type RecordsErrorCode, type RecordsErrorFields } from './errors.ts';

/** The reach of a failure: one operation, all current writes, or the whole store. */
type Severity = 'operation' | 'full' | 'device';

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
const FULL = 13;
const OF_THE_DEVICE: ReadonlySet<number> = new Set([7, 10, 11, 14, 26]);

/** The same of calls of Node, which write the files beside the database. */
const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

/** How far a thrown value reaches. */
export function severityOf(thrown: unknown): Severity {
  if (thrown instanceof Error && 'syscall' in thrown && 'code' in thrown)
    return FULL_CODES.has(String(thrown.code)) ? 'full' : 'device';
  const code = sqliteCode(thrown);
  if (code === FULL) return 'full';
  return code !== undefined && OF_THE_DEVICE.has(code) ? 'device' : 'operation';
}

function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined;
}

/** True where another connection has the right to write. */
export function isBusy(thrown: unknown): boolean {
  return sqliteCode(thrown) === 5;
}

/** The refusal of a full disk. */
export function storeFull(): RecordsError {
  return new RecordsError(
    'store-full',
    'The disk is full: nothing was changed. Free some space and try again.',
  );
}

/** The refusal of everything after a failure. */
export function storeFailed(why: string): RecordsError {
  return new RecordsError('store-failed', `The records store has stopped: ${why}. Restart the server.`);
}

/** The answer of a file that is damaged, or of a device that does not read it. */
function storeUnreadable(why: string): RecordsError {
  return new RecordsError('store-failed', `The records cannot be read: ${why}.`);
}

/** A thrown value as it crosses threads. */
export interface PackedError {
  /** Undefined for a mistake of ours, which is no refusal. */
  readonly code: RecordsErrorCode | undefined;
  readonly detail: string;
  readonly fields: RecordsErrorFields;
  readonly stack: string | undefined;
}

/** To be posted. */
export function packError(thrown: unknown): PackedError {
  if (thrown instanceof RecordsError) {
    const { code, message, field, extra } = thrown;
    const fields = { ...(field === undefined ? {} : { field }), ...(extra === undefined ? {} : { extra }) };
    return { code, detail: message, fields, stack: undefined };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (severityOf(thrown) === 'device') return packError(storeUnreadable(error.message));
  return { code: undefined, detail: error.message, fields: {}, stack: error.stack };
}

/** The error that was packed. */
export function unpackError({ code, detail, fields, stack }: PackedError): Error {
  if (code !== undefined) return new RecordsError(code, detail, fields);
  const error = new Error(detail);
  if (stack !== undefined) error.stack = stack;
  return error;
}
