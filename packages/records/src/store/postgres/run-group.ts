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
  works: readonly PostgresCall[],
): Promise<CommittedGroup> {
  const transaction = new PostgresTransaction(client, locks);
  const endings = await answersOfEarlier(client, locks, works);
  await transaction.begin(works[0]!.locks, endings.begun ? '' : 'BEGIN;');
  const left = works.filter((work) => !endings.known.has(work));
  const { fence } = transaction;
  // Alone each shows whether it changes anything.
  if (fence !== undefined && left.length > 0 && works.length > 1) throw new GroupFailedError();
  const mark = transaction.mark();
  const run: Runner = isLedgerWrite(works[0]!.operation)
    ? await ledgerRunner(client, transaction, left)
    : async ({ operation, args }) => await operation.run(transaction.context, args);
  for (const some of alike(left)) {
    const { runMany } = some[0]!.operation;
    const found =
      runMany !== undefined && some.length > 1
        ? await endingsOf(transaction, some)
        : [await endingOf(transaction, some[0]!, run, works.length === 1)];
    for (const [at, ending] of found.entries()) endings.known.set(some[at]!, ending);
  }
  await run.flush?.();
  const refused = left.some((work) => 'error' in endings.known.get(work)!);
  if (fence !== undefined && (refused || !transaction.isSilentSince(mark))) throw fenceRefusal(fence);
  const { db } = databaseOf(client);
  for (const work of left)
    if (work.idempotency !== undefined)
      await saveAnswer(db, work.idempotency, outcomeOf(endings.known.get(work)!), transaction.now);
  const hasEvents = await transaction.commit();
  return { endings: works.map((work) => endings.known.get(work)!), hasEvents };
}

interface Runner {
  (work: PostgresCall): Promise<unknown>;
  flush?: () => Promise<void>;
}

async function ledgerRunner(
  client: ClientBase,
  transaction: PostgresTransaction,
  works: readonly PostgresCall[],
): Promise<Runner> {
  const calls = works.map(({ operation, args }) => ({ name: operation.name, args }));
  const emit = transaction.emit.bind(transaction);
  const group = await openGroup(databaseOf(client).db, calls, transaction.now, emit);
  transaction.now = group.book.now;
  const run = async ({ operation, args }: PostgresCall): Promise<unknown> =>
    (operation as LedgerWrite<unknown, unknown>).decide(group.book, args);
  return Object.assign(run, { flush: () => group.write() });
}

/** Groups neighbouring calls that can run together; every other call is alone. */
function alike(works: readonly PostgresCall[]): PostgresCall[][] {
  const groups: PostgresCall[][] = [];
  for (const work of works) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]!.operation === work.operation && work.operation.runMany !== undefined)
      last.push(work);
    else groups.push([work]);
  }
  return groups;
}

async function endingsOf(
  transaction: PostgresTransaction,
  works: readonly PostgresCall[],
): Promise<CallEnding[]> {
  const { runMany } = works[0]!.operation;
  const calls = works.map(({ args }) => args);
  try {
    const tried = await runMany!(transaction.context, calls);
    return tried.map((each) =>
      'refused' in each ? { error: each.refused, replayed: false } : { result: each.result, replayed: false },
    );
  } catch (error) {
    throw isRetryable(error) || isUnreachable(error) ? error : new GroupFailedError();
  }
}

async function endingOf(
  transaction: PostgresTransaction,
  work: PostgresCall,
  run: Runner,
  alone: boolean,
): Promise<CallEnding> {
  // It may refuse after a change, and its refusal is stored: only its changes are rolled back.
  const savepoint = alone && work.idempotency !== undefined && work.operation.checksFirst !== true;
  if (savepoint) await transaction.savepoint();
  const mark = transaction.mark();
  try {
    return { result: await run(work), replayed: false };
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
async function answersOfEarlier(
  client: ClientBase,
  locks: AdvisoryLocks,
  works: readonly PostgresCall[],
): Promise<{ begun: boolean; known: Map<PostgresCall, CallEnding> }> {
  const known = new Map<PostgresCall, CallEnding>();
  const keyed = works.filter(({ idempotency }) => idempotency !== undefined);
  if (keyed.length === 0) return { begun: false, known };
  const nameOf = ({ idempotency: call }: PostgresCall): string => `@answer\n${call!.principal}\n${call!.key}`;
  const taking = keyed.map(
    (work) => `SELECT pg_try_advisory_xact_lock(${locks.numberOf(nameOf(work))}) AS taken;`,
  );
  const results = (await client.query(
    `BEGIN; ${taking.join(' ')} ${CLOCK}`,
  )) as unknown as readonly QueryResult[];
  const now = Number((results.at(-1) as QueryResult<{ now: bigint }>).rows[0]!.now);
  const seen = new Set<string>();
  for (const [at, work] of keyed.entries()) {
    const { taken } = (results[at + 1] as QueryResult<{ taken: boolean }>).rows[0]!;
    // A session may take a lock twice: `seen` separates two calls of one group.
    if (!taken || seen.has(nameOf(work))) known.set(work, { error: keyInUse(), replayed: false });
    else {
      const ending = await earlier(client, work.idempotency!, now);
      if (ending !== undefined) known.set(work, ending);
    }
    seen.add(nameOf(work));
  }
  return { begun: true, known };
}

async function earlier(
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
