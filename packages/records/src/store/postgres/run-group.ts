// Runs the calls of a group in one transaction, in turn. A refused call is left out where it changed nothing;
// any other failure ends the transaction for all.

import type { ClientBase, QueryResult } from 'pg';
import { RecordsError } from '../../contracts/errors.ts';
import type { IdempotentCall, WriteOperation } from '../../contracts/operation.ts';
import { packError, unpackError } from '../../contracts/store-errors.ts';
import type { PackedOutcome } from '../../idempotency/stored-answers.ts';
import { loadAnswer, saveAnswer } from '../../idempotency/stored-answers-postgres.ts';
import { isLedgerWrite, type LedgerWrite } from '../../ledger/operations/ledger-store.ts';
import { openGroup } from '../../ledger/postgres/ledger-group.ts';
import { fenceRefusal } from '../write-fence.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';
import { databaseOf } from './dialect.ts';
import { isRetryable, isUnreachable } from './postgres-errors.ts';
import { CLOCK, PostgresTransaction } from './postgres-transaction.ts';

/** One call. */
export interface PostgresCall {
  readonly operation: WriteOperation<unknown, unknown>;
  readonly args: unknown;
  /** Undefined excludes every other write. The calls of a group have the same locks. */
  readonly locks: readonly string[] | undefined;
  readonly idempotency: IdempotentCall | undefined;
}

/** The end of a call. */
export type CallEnding = { readonly result: unknown; readonly replayed: boolean } | RefusedEnding;

interface RefusedEnding {
  readonly error: unknown;
  readonly replayed: boolean;
}

/** The end of a transaction. */
export interface CommittedGroup {
  /** One for each call. */
  readonly endings: readonly CallEnding[];
  /** Whether events are waiting for their positions. */
  readonly hasEvents: boolean;
}

/** A call has failed in a way that ended the transaction of its group: each call must run alone. */
export class GroupFailedError extends Error {}

/** Runs calls with the same locks in one transaction. Throws GroupFailedError and the errors of PostgreSQL. */
export async function runGroup(
  client: ClientBase,
  locks: AdvisoryLocks,
  calls: readonly PostgresCall[],
): Promise<CommittedGroup> {
  const transaction = new PostgresTransaction(client, locks);
  const { hasBegun, endings } = await findStoredAnswers(client, locks, calls);
  await transaction.begin(calls[0]!.locks, hasBegun ? '' : 'BEGIN;');
  const left = calls.filter((call) => !endings.has(call));
  const { fence } = transaction;
  // Alone each shows whether it changes anything.
  if (fence !== undefined && left.length > 0 && calls.length > 1) throw new GroupFailedError();
  const mark = transaction.mark();
  const run: Runner = isLedgerWrite(calls[0]!.operation)
    ? await ledgerRunner(client, transaction, left)
    : async ({ operation, args }) => await operation.run(transaction.context, args);
  for (const some of groupRuns(left)) {
    const { runMany } = some[0]!.operation;
    const found =
      runMany !== undefined && some.length > 1
        ? await endingsOf(transaction, some)
        : [await endingOf(transaction, some[0]!, run, calls.length === 1)];
    for (const [at, ending] of found.entries()) endings.set(some[at]!, ending);
  }
  await run.flush?.();
  const refused = left.some((call) => 'error' in endings.get(call)!);
  if (fence !== undefined && (refused || !transaction.isSilentSince(mark))) throw fenceRefusal(fence);
  const { db } = databaseOf(client);
  for (const call of left)
    if (call.idempotency !== undefined)
      await saveAnswer(db, call.idempotency, outcomeOf(endings.get(call)!), transaction.now);
  const hasEvents = await transaction.commit();
  return { endings: calls.map((call) => endings.get(call)!), hasEvents };
}

interface Runner {
  (call: PostgresCall): Promise<unknown>;
  flush?: () => Promise<void>;
}

async function ledgerRunner(
  client: ClientBase,
  transaction: PostgresTransaction,
  calls: readonly PostgresCall[],
): Promise<Runner> {
  const named = calls.map(({ operation, args }) => ({ name: operation.name, args }));
  const emit = transaction.emit.bind(transaction);
  const group = await openGroup(databaseOf(client).db, named, transaction.now, emit);
  transaction.now = group.book.now;
  const run = async ({ operation, args }: PostgresCall): Promise<unknown> =>
    (operation as LedgerWrite<unknown, unknown>).decide(group.book, args);
  return Object.assign(run, { flush: () => group.write() });
}

/** Groups neighbouring calls that can run together; every other call is alone. */
function groupRuns(calls: readonly PostgresCall[]): PostgresCall[][] {
  const groups: PostgresCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]!.operation === call.operation && call.operation.runMany !== undefined)
      last.push(call);
    else groups.push([call]);
  }
  return groups;
}

async function endingsOf(
  transaction: PostgresTransaction,
  calls: readonly PostgresCall[],
): Promise<CallEnding[]> {
  const { runMany } = calls[0]!.operation;
  try {
    const results = await runMany!(
      transaction.context,
      calls.map(({ args }) => args),
    );
    return results.map((each) =>
      'refused' in each ? { error: each.refused, replayed: false } : { result: each.result, replayed: false },
    );
  } catch (error) {
    throw isRetryable(error) || isUnreachable(error) ? error : new GroupFailedError();
  }
}

async function endingOf(
  transaction: PostgresTransaction,
  call: PostgresCall,
  run: Runner,
  alone: boolean,
): Promise<CallEnding> {
  // It may refuse after a change, and its refusal is stored: only its changes are rolled back.
  const savepoint = alone && call.idempotency !== undefined && call.operation.checksFirst !== true;
  if (savepoint) await transaction.savepoint();
  const mark = transaction.mark();
  try {
    return { result: await run(call), replayed: false };
  } catch (error) {
    if (error instanceof RecordsError && (savepoint || transaction.isUnchangedSince(mark))) {
      if (savepoint) await transaction.rollBackToSavepoint();
      transaction.takeBackEvents(mark);
      return { error, replayed: false };
    }
    throw alone || isRetryable(error) || isUnreachable(error) ? error : new GroupFailedError();
  }
}

/** Begins the transaction where there are idempotency keys, locks them, and finds their stored answers. */
async function findStoredAnswers(
  client: ClientBase,
  locks: AdvisoryLocks,
  calls: readonly PostgresCall[],
): Promise<{ hasBegun: boolean; endings: Map<PostgresCall, CallEnding> }> {
  const endings = new Map<PostgresCall, CallEnding>();
  const keyed = calls.filter(({ idempotency }) => idempotency !== undefined);
  if (keyed.length === 0) return { hasBegun: false, endings };
  const nameOf = ({ idempotency: call }: PostgresCall): string => `@answer\n${call!.principal}\n${call!.key}`;
  const taking = keyed.map(
    (call) => `SELECT pg_try_advisory_xact_lock(${locks.numberOf(nameOf(call))}) AS taken;`,
  );
  const results = (await client.query(
    `BEGIN; ${taking.join(' ')} ${CLOCK}`,
  )) as unknown as readonly QueryResult[];
  const now = Number((results.at(-1) as QueryResult<{ now: bigint }>).rows[0]!.now);
  const seen = new Set<string>();
  for (const [at, call] of keyed.entries()) {
    const { taken } = (results[at + 1] as QueryResult<{ taken: boolean }>).rows[0]!;
    // A session may take a lock twice: `seen` separates two calls of one group.
    if (!taken || seen.has(nameOf(call))) endings.set(call, { error: keyInUse(), replayed: false });
    else {
      const ending = await storedEnding(client, call.idempotency!, now);
      if (ending !== undefined) endings.set(call, ending);
    }
    seen.add(nameOf(call));
  }
  return { hasBegun: true, endings };
}

async function storedEnding(
  client: ClientBase,
  call: IdempotentCall,
  now: number,
): Promise<CallEnding | undefined> {
  try {
    const outcome = await loadAnswer(databaseOf(client).db, call, now);
    if (outcome === undefined) return undefined;
    const { thrown, result } = outcome;
    return thrown === undefined ? { result, replayed: true } : { error: unpackError(thrown), replayed: true };
  } catch (error) {
    if (error instanceof RecordsError) return { error, replayed: false };
    throw error;
  }
}

function keyInUse(): RecordsError {
  return new RecordsError(
    'idempotency-key-in-use',
    'A request with this idempotency key has not been answered yet. Try again in a moment.',
  );
}

function outcomeOf(ending: CallEnding): PackedOutcome {
  if ('error' in ending) return { thrown: packError(ending.error), result: undefined };
  return { thrown: undefined, result: ending.result };
}
