// What happens between BEGIN and COMMIT? Locks by name, the time, operations in turn, then their events and ids. Refused
// operations of a group are left out where they changed nothing; anything else ends the transaction for all.

import type { ClientBase, QueryResult } from 'pg';
import { RecordsError } from '../../errors.ts';
import type { NewEvent } from '../../events.ts';
import type { Outcome } from '../../idempotency/answers.ts';
import { storeAnswer, storedAnswer } from '../../idempotency/stored.ts';
import type { IdempotentCall, WriteContext, WriteOperation } from '../../operation.ts';
import { pack, unpack } from '../failures.ts';
import { databaseOf } from './dialect.ts';
import { isUnreachable, isWorthRetrying, unknownOutcome } from './failures.ts';
import type { Locks } from './locks.ts';
import { newestTime, readingSpaces, type SpaceRow, TransactionSpaces } from './spaces.ts';

/** One operation with its arguments. */
export interface Work {
  readonly operation: WriteOperation<unknown, unknown>;
  readonly args: unknown;
  /** Undefined: beside nothing. */
  readonly locks: readonly string[] | undefined;
}

/** What came of it. */
export type Ending = { readonly result: unknown } | { readonly error: RecordsError };

/** What came of a transaction. */
export interface Committed {
  readonly endings: readonly Ending[];
  /** Whether events are waiting for their positions, or other things that follow a commit. */
  readonly hasEvents: boolean;
  readonly replayed: boolean;
}

/** An operation of a group has failed in a way that took the others with it: each must run alone. */
export class GroupBroken extends Error {}

const CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now;';
const QUEUE =
  'INSERT INTO outbox_queue (time, type, subject, data) ' +
  'SELECT $1::bigint, type, subject, data FROM unnest($2::text[], $3::text[], $4::text[]) ' +
  'WITH ORDINALITY AS event (type, subject, data, at) ORDER BY at';

/** Runs operations with the same locks in one transaction. Throws GroupBroken, and what PostgreSQL throws. */
export async function runTogether(
  client: ClientBase,
  locks: Locks,
  works: readonly Work[],
): Promise<Committed> {
  const transaction = new Transaction(client, locks);
  await transaction.begin(works[0]!.locks);
  const endings: Ending[] = [];
  for (const work of works) {
    const mark = transaction.mark();
    try {
      endings.push({ result: await transaction.run(work) });
    } catch (error) {
      const harmless = error instanceof RecordsError && transaction.isUnchangedSince(mark);
      if (!harmless && works.length > 1) throw isFatal(error) ? error : new GroupBroken();
      if (!harmless) throw error;
      transaction.goBack(mark);
      endings.push({ error });
    }
  }
  return { endings, hasEvents: await transaction.commit(), replayed: false };
}

/** Runs one operation whose answer is kept, or gives the answer of earlier. Throws what PostgreSQL throws. */
export async function runOnce(
  client: ClientBase,
  locks: Locks,
  work: Work,
  call: IdempotentCall,
): Promise<Committed> {
  const transaction = new Transaction(client, locks);
  const lock = locks.numberOf(`@answer\n${call.principal}\n${call.key}`);
  const begun = (await client.query(
    `BEGIN; SELECT pg_try_advisory_xact_lock(${lock}) AS taken; ${CLOCK}`,
  )) as unknown as readonly QueryResult<{ taken?: boolean; now?: bigint }>[];
  if (begun[1]?.rows[0]?.taken !== true)
    throw new RecordsError(
      'idempotency-key-in-use',
      'A request with this idempotency key has not been answered yet. Try again in a moment.',
    );
  const { db } = databaseOf(client);
  const kept = await storedAnswer(db, call, Number(begun[2]!.rows[0]!.now));
  if (kept !== undefined) {
    await client.query('ROLLBACK');
    return { endings: [endingOf(kept)], hasEvents: false, replayed: true };
  }
  await transaction.begin(work.locks, '');
  await client.query('SAVEPOINT operation');
  const mark = transaction.mark();
  let outcome: Outcome;
  try {
    outcome = { thrown: undefined, result: await transaction.run(work) };
  } catch (error) {
    if (!(error instanceof RecordsError)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT operation');
    transaction.goBack(mark);
    outcome = { thrown: pack(error), result: undefined };
  }
  await storeAnswer(db, call, outcome, transaction.now);
  return { endings: [endingOf(outcome)], hasEvents: await transaction.commit(), replayed: false };
}

function endingOf({ thrown, result }: Outcome): Ending {
  return thrown === undefined ? { result } : { error: unpack(thrown) as RecordsError };
}

function isFatal(error: unknown): boolean {
  return isWorthRetrying(error) || isUnreachable(error);
}

interface Mark {
  readonly events: number;
  readonly changes: number;
}

class Transaction {
  readonly #client: ClientBase;
  readonly #locks: Locks;
  readonly #events: NewEvent[] = [];
  #spaces: TransactionSpaces;
  now = 0;

  constructor(client: ClientBase, locks: Locks) {
    this.#client = client;
    this.#locks = locks;
    this.#spaces = new TransactionSpaces(client, locks, [], []);
  }

  /** Each statement sees what was committed before it began (READ COMMITTED), so what is read under a lock is the newest. */
  async begin(names: readonly string[] | undefined, begin = 'BEGIN;'): Promise<void> {
    const locked = names ?? [];
    const results = (await this.#client.query(
      `${begin} ${this.#locks.taking(names)} ${readingSpaces(locked)} ${CLOCK}`,
    )) as unknown as readonly QueryResult[];
    const rows = (results.at(-2) as QueryResult<SpaceRow>).rows;
    const { now } = (results.at(-1) as QueryResult<{ now: bigint }>).rows[0]!;
    this.#spaces = new TransactionSpaces(this.#client, this.#locks, locked, rows);
    // The clock of the database is one for all; where it was set back, the ids of the space know.
    this.now = Math.max(Number(now), newestTime(rows));
  }

  async run({ operation, args }: Work): Promise<unknown> {
    const context: WriteContext = {
      db: databaseOf(this.#client).db,
      sql: undefined,
      kept: undefined,
      now: this.now,
      nextId: (space) => this.#spaces.next(space, this.now),
      emit: (event) => void this.#events.push(event),
    };
    return await operation.run(context, args);
  }

  mark(): Mark {
    return { events: this.#events.length, changes: databaseOf(this.#client).changes() };
  }

  isUnchangedSince({ changes }: Mark): boolean {
    return databaseOf(this.#client).changes() === changes;
  }

  goBack({ events }: Mark): void {
    this.#events.length = events;
  }

  /** True where events are waiting now. */
  async commit(): Promise<boolean> {
    const events = this.#events;
    if (events.length > 0) {
      await this.#client.query({
        name: 'outbox-queue',
        text: QUEUE,
        values: [
          this.now,
          events.map(({ type }) => type),
          events.map(({ subject }) => subject),
          events.map(({ data }) => JSON.stringify(data)),
        ],
      });
    }
    const saving = this.#spaces.saving();
    if (saving !== '') await this.#client.query(saving);
    try {
      await this.#client.query('COMMIT');
    } catch (error) {
      throw isUnreachable(error) ? unknownOutcome() : error;
    }
    return events.length > 0;
  }
}
