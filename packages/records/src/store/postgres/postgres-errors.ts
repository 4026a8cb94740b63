// Classifies the errors of PostgreSQL: some disappear when the transaction runs once more, some mean that the
// server is away; the rest are mistakes of ours.

import { RecordsError } from '../../contracts/errors.ts';

/** Codes of the system and of drivers for a server that is not there or went away. */
const OF_THE_NET: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** https://www.postgresql.org/docs/15/errcodes-appendix.html: shutting down, starting, no slots, a standby. */
const AWAY: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300', '25006', '25P03']);
const FULL: ReadonlySet<string> = new Set(['53100']);
const SLOW: ReadonlySet<string> = new Set(['55P03', '57014', '53200']);
const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);

/** By the code of a connection that failed. */
const OPENING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start PostgreSQL, or correct the host and port.',
  ENOENT: 'there is no socket. Start PostgreSQL, or correct the path.',
  ENOTFOUND: 'the host name is unknown. Correct the host.',
  EAI_AGAIN: 'the host name cannot be resolved now. Check the name server and the host.',
};

/** By the code with which PostgreSQL refuses a connection: a wrong password, a wrong user, no such database. */
const REFUSED: Readonly<Record<string, string>> = {
  '28P01': '. Correct the user or the password.',
  '28000': '. Correct the user, or allow it in pg_hba.conf.',
  '3D000': '. Create the database, or correct its name.',
};

/** Messages of pg without a code. */
const LOST =
  /connection terminated|not queryable|timeout exceeded when trying to connect|client was closed|has encountered a connection error/i;

/** Constraints that two processes may violate at once: when the second tries again, it finds the row of the first. */
const MADE_TWICE: ReadonlySet<string> = new Set([
  'account_id_key',
  'transfer_external_id',
  'transfer_reverses',
  'transfer_hold',
]);

/** True where the same transaction may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return AGAIN.has(code) || (code === '23505' && MADE_TWICE.has(constraintOf(error)));
}

/** True where the server is away, or the connection was lost. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (OF_THE_NET.has(code) || AWAY.has(code) || /^08/.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return error instanceof Error && !(error instanceof RecordsError) && LOST.test(error.message);
}

/** Why a database cannot be opened, and what to do. Never contains the password. */
export function openingReason(error: unknown): string {
  // Of several addresses that were tried, the first.
  if (error instanceof AggregateError) return openingReason(error.errors[0]);
  const code = codeOf(error);
  const advice = OPENING[code];
  if (advice !== undefined) return ` cannot be reached: ${advice}`;
  if (OF_THE_NET.has(code))
    return ' cannot be reached: the host does not answer. Check the network and the address.';
  const message = error instanceof Error ? error.message : String(error);
  return `: ${message}${REFUSED[code] ?? ''}`;
}

/** The refusal for an error: the store is away, full or too busy; any other error stays itself. */
export function toRefusal(error: unknown): unknown {
  if (isUnreachable(error)) return storeUnreachable();
  const code = codeOf(error);
  if (FULL.has(code))
    return new RecordsError(
      'store-full',
      'The disk of the database is full: nothing was changed. Free some space and try again.',
    );
  if (SLOW.has(code) || isRetryable(error))
    return new RecordsError(
      'store-busy',
      'Other requests are changing the same records. Try again in a moment.',
    );
  return error;
}

/** The refusal of a caller while the database is away. */
function storeUnreachable(): RecordsError {
  return new RecordsError(
    'store-unreachable',
    'The database of the records does not answer. Nothing was changed by this request. Try again in a moment.',
  );
}

/** The refusal of a change whose connection was lost during its commit: the outcome is unknown. */
export function unknownOutcome(): RecordsError {
  return new RecordsError(
    'store-unreachable',
    'The connection to the database of the records was lost during the commit of this request, so its outcome is unknown. ' +
      'Check before you send it again, or send it with the same Idempotency-Key.',
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function constraintOf(error: unknown): string {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : '';
}
