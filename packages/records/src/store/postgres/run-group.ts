// How do calls share a transaction? In turn, each with its own ending. A refused one is left out where it changed nothing;
// anything else ends the transaction for all.

import type { ClientBase, QueryResult } from 'pg';
import { RecordsError } from '../../contracts/errors.ts';
import type { IdempotentCall, WriteOperation } from '../../contracts/operation.ts';
import { pack, unpack } from '../../contracts/store-errors.ts';
import type { Outcome } from '../../idempotency/stored-answers.ts';
import { storeAnswer, storedAnswer } from '../../idempotency/stored-answers-postgres.ts';
import { isLedgerWrite, type LedgerWrite } from '../../ledger/operations/ledger-store.ts';
import { openGroup } from '../../ledger/postgres/ledger-group.ts';
import { fenced } from '../write-fence.ts';
import type { Locks } from './advisory-locks.ts';
import { databaseOf } from './dialect.ts';
import { isUnreachable, isWorthRetrying } from './postgres-errors.ts';
import { CLOCK, Transaction } from './transaction.ts';

/** One call. */
export interface Work {
  readonly operation: WriteOperation<unknown, unknown>;
  readonly args: unknown;
  /** Undefined: beside nothing. Those of a group are the same. */
  readonly locks: readonly string[] | undefined;
  readonly idempotency: IdempotentCall | undefined;
}

/** What came of it. */
export type Ending = { readonly result: unknown; readonly replayed: boolean } | RefusedEnding;

interface RefusedEnding {
  readonly error: unknown;
  readonly replayed: boolean;
}

/** What came of a transaction. */
export interface Committed {
  /** One for each call. */
  readonly endings: readonly Ending[];
  /** Whether events are waiting for their positions. */
  readonly hasEvents: boolean;
}

/** A call of a group has failed in a way that took the others with it: each must run alone. */
export class GroupBroken extends Error {}

/** Runs calls with the same locks in one transaction. Throws GroupBroken, and what PostgreSQL throws. */
export async function runTogether(
  client: ClientBase,
  locks: Locks,
  works: readonly Work[],
): Promise<Committed> {
  const transaction = new Transaction(client, locks);
  const endings = await answersOfEarlier(client, locks, works);
  await transaction.begin(works[0]!.locks, endings.begun ? '' : 'BEGIN;');
  const left = works.filter((work) => !endings.known.has(work));
  const { fence } = transaction;
  // Alone each shows whether it changes anything.
  if (fence !== undefined && left.length > 0 && works.length > 1) throw new GroupBroken();
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
  if (fence !== undefined && (refused || !transaction.isSilentSince(mark))) throw fenced(fence);
  const { db } = databaseOf(client);
  for (const work of left)
    if (work.idempotency !== undefined)
      await storeAnswer(db, work.idempotency, outcomeOf(endings.known.get(work)!), transaction.now);
  const hasEvents = await transaction.commit();
  return { endings: works.map((work) => endings.known.get(work)!), hasEvents };
}

interface Runner {
  (work: Work): Promise<unknown>;
  flush?: () => Promise<void>;
}

async function ledgerRunner(
  client: ClientBase,
  transaction: Transaction,
  works: readonly Work[],
): Promise<Runner> {
  const calls = works.map(({ operation, args }) => ({ name: operation.name, args }));
  const emit = transaction.emit.bind(transaction);
  const group = await openGroup(databaseOf(client).db, calls, transaction.now, emit);
  transaction.now = group.book.now;
  const run = async ({ operation, args }: Work): Promise<unknown> =>
    (operation as LedgerWrite<unknown, unknown>).decide(group.book, args);
  return Object.assign(run, { flush: () => group.write() });
}

/** Calls one behind the other that can be run together; every other call alone. */
function alike(works: readonly Work[]): Work[][] {
  const groups: Work[][] = [];
  for (const work of works) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]!.operation === work.operation && work.operation.runMany !== undefined)
      last.push(work);
    else groups.push([work]);
  }
  return groups;
}

async function endingsOf(transaction: Transaction, works: readonly Work[]): Promise<Ending[]> {
  const { runMany } = works[0]!.operation;
  const calls = works.map(({ args }) => args);
  try {
    const tried = await runMany!(transaction.context, calls);
    return tried.map((each) =>
      'refused' in each ? { error: each.refused, replayed: false } : { result: each.result, replayed: false },
    );
  } catch (error) {
    throw isWorthRetrying(error) || isUnreachable(error) ? error : new GroupBroken();
  }
}

async function endingOf(transaction: Transaction, work: Work, run: Runner, alone: boolean): Promise<Ending> {
  // What may refuse after a change, and whose refusal is kept: its changes go, the transaction stays.
  const savepoint = alone && work.idempotency !== undefined && work.operation.checksFirst !== true;
  if (savepoint) await transaction.save();
  const mark = transaction.mark();
  try {
    return { result: await run(work), replayed: false };
  } catch (error) {
    if (error instanceof RecordsError && (savepoint || transaction.isUnchangedSince(mark))) {
      if (savepoint) await transaction.restore();
      transaction.goBack(mark);
      return { error, replayed: false };
    }
    throw alone || isWorthRetrying(error) || isUnreachable(error) ? error : new GroupBroken();
  }
}

/** Begins the transaction where there are keys, locks them, and looks what was answered before. */
async function answersOfEarlier(
  client: ClientBase,
  locks: Locks,
  works: readonly Work[],
): Promise<{ begun: boolean; known: Map<Work, Ending> }> {
  const known = new Map<Work, Ending>();
  const keyed = works.filter(({ idempotency }) => idempotency !== undefined);
  if (keyed.length === 0) return { begun: false, known };
  const nameOf = ({ idempotency: call }: Work): string => `@answer\n${call!.principal}\n${call!.key}`;
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
    // A session may take a lock twice: two calls of one group are told apart here.
    if (!taken || seen.has(nameOf(work))) known.set(work, { error: keyInUse(), replayed: false });
    else {
      const ending = await earlier(client, work.idempotency!, now);
      if (ending !== undefined) known.set(work, ending);
    }
    seen.add(nameOf(work));
  }
  return { begun: true, known };
}

async function earlier(client: ClientBase, call: IdempotentCall, now: number): Promise<Ending | undefined> {
  try {
    const outcome = await storedAnswer(databaseOf(client).db, call, now);
    if (outcome === undefined) return undefined;
    const { thrown, result } = outcome;
    return thrown === undefined ? { result, replayed: true } : { error: unpack(thrown), replayed: true };
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

function outcomeOf(ending: Ending): Outcome {
  if ('error' in ending) return { thrown: pack(ending.error), result: undefined };
  return { thrown: undefined, result: ending.result };
}
