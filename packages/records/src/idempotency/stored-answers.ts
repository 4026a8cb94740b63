// The stored answers of calls with an idempotency key. An answer is stored in the transaction of its change;
// the same call again receives the same answer.

import { deserialize, serialize } from 'node:v8';
import { RECORDS_ERRORS, RecordsError } from '../contracts/errors.ts';
import type { IdempotentCall, Statements } from '../contracts/operation.ts';
import type { PackedError } from '../contracts/store-errors.ts';

/** The outcome of an operation. */
export interface PackedOutcome {
  readonly thrown: PackedError | undefined;
  readonly result: unknown;
}

/** For how long an answer is stored, in ms. */
export const ANSWER_LIFETIME_MS = 86_400_000;

/** Rows that one group removes at most: a day's worth must not stop the writes that follow it. */
const PURGE = 256;

/** The statuses of refusals that depend on the state of the records: the same key receives them again. */
const KEPT_STATUSES: ReadonlySet<number> = new Set([403, 404, 409, 422]);

const FIND = 'SELECT fingerprint, answer, time FROM idempotency WHERE principal = ? AND key = ?';
const KEEP =
  'INSERT INTO idempotency (principal, key, fingerprint, answer, time) VALUES (?, ?, ?, ?, ?) ' +
  'ON CONFLICT (principal, key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, time = excluded.time';
const OLDEST = 'SELECT time FROM idempotency ORDER BY time LIMIT 1';
const REMOVE = `DELETE FROM idempotency WHERE (principal, key) IN (SELECT principal, key FROM idempotency WHERE time <= ? ORDER BY time LIMIT ${PURGE})`;

/** A row of the table, as both stores give it. */
interface AnswerRow {
  readonly fingerprint: string;
  readonly answer: Uint8Array;
  readonly time: bigint;
}

/** The stored answer, if there is one. Throws `idempotency-key-reused` where the key stands for another request. */
export function findAnswer(sql: Statements, call: IdempotentCall, now: number): PackedOutcome | undefined {
  return answerOfRow(sql.get<AnswerRow>(FIND, call.principal, call.key), call, now);
}

/** The answer in a row, unless it is too old. Throws `idempotency-key-reused`. */
export function answerOfRow(
  row: AnswerRow | undefined,
  call: IdempotentCall,
  now: number,
): PackedOutcome | undefined {
  if (row === undefined || Number(row.time) <= now - ANSWER_LIFETIME_MS) return undefined;
  if (row.fingerprint !== call.fingerprint)
    throw new RecordsError(
      'idempotency-key-reused',
      'This idempotency key was used for a request with another path, parameters or body. Use a new key for a new request.',
      { field: 'Idempotency-Key' },
    );
  return deserialize(row.answer) as PackedOutcome;
}

/** Stores an answer, unless the same call may well get another one: invalid requests, mistakes of ours. */
export function storeAnswer(
  sql: Statements,
  call: IdempotentCall,
  outcome: PackedOutcome,
  now: number,
): void {
  if (!isStorable(outcome)) return;
  sql.run(KEEP, call.principal, call.key, call.fingerprint, serialize(outcome), BigInt(now));
}

/** Removes answers that are old enough, some per call; true where there may be more. */
export function purgeAnswers(sql: Statements, now: number): boolean {
  const oldest = sql.get<{ time: bigint }>(OLDEST);
  const end = now - ANSWER_LIFETIME_MS;
  return oldest !== undefined && Number(oldest.time) <= end && sql.run(REMOVE, BigInt(end)) === PURGE;
}

/** False where the same call may well get another answer. */
export function isStorable({ thrown }: PackedOutcome): boolean {
  if (thrown === undefined) return true;
  return thrown.code !== undefined && KEPT_STATUSES.has(RECORDS_ERRORS[thrown.code].status);
}

/**
 * Throws `idempotency-key-invalid` for anything but 1 to 255 characters of printable ASCII, as Stripe and the IETF draft
 * (draft-ietf-httpapi-idempotency-key-header) have it.
 */
export function checkIdempotencyKey(key: string): void {
  if (key.length >= 1 && key.length <= 255 && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) return;
  throw new RecordsError(
    'idempotency-key-invalid',
    'An idempotency key is 1 to 255 printable ASCII characters, without blanks at its ends; a UUID is a good choice.',
    { field: 'Idempotency-Key' },
  );
}
