// A write transaction: locks by name, the time, operations in turn, then their events and ids.

import type { ClientBase, QueryResult } from 'pg';
import type { DocumentEvents, NewEvent } from '../../contracts/events.ts';
import type { WriteContext } from '../../contracts/operation.ts';
import { type EventRow, eventRow } from '../../outbox/event-rows.ts';
import type { Fence } from '../../schema/store-tables.ts';
import { SELECT_FENCE } from '../write-fence.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';
import { databaseOf } from './dialect.ts';
import { isUnreachable, unknownOutcome } from './postgres-errors.ts';
import { newestTime, type SpaceRow, selectSpaces, TransactionSpaces } from './transaction-spaces.ts';

export const CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now;';
/** Read together with the clock, without another round trip; after the locks, so that no fence is raised before the commit. */
const CLOCK_AND_FENCE = `SELECT clock.now, fence.* FROM (${CLOCK.replace(';', '')}) AS clock LEFT JOIN (${SELECT_FENCE}) AS fence ON true;`;
const QUEUE =
  'INSERT INTO outbox_queue (time, type, subject, data, count) ' +
  'SELECT $1::bigint, type, subject, data, count FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) ' +
  'WITH ORDINALITY AS event (type, subject, data, count, at) ORDER BY at';

/** A point to go back to. */
interface Mark {
  readonly events: number;
  readonly changes: number;
}

/** One transaction on one connection. */
export class PostgresTransaction {
  readonly #client: ClientBase;
  readonly #locks: AdvisoryLocks;
  readonly #events: EventRow[] = [];
  #spaces: TransactionSpaces;
  now = 0;
  /** Why nothing may be changed. */
  fence: Fence | undefined;

  constructor(client: ClientBase, locks: AdvisoryLocks) {
    this.#client = client;
    this.#locks = locks;
    this.#spaces = new TransactionSpaces(client, locks, [], []);
  }

  /**
   * Takes locks, exclusively for `undefined`. Each statement sees everything committed before it began (READ COMMITTED), so
   * a read under a lock is the newest. `begin` is empty in a transaction that has begun.
   */
  async begin(names: readonly string[] | undefined, begin = 'BEGIN;'): Promise<void> {
    const locked = names ?? [];
    const results = (await this.#client.query(
      `${begin} ${this.#locks.lockStatements(names)} ${selectSpaces(locked)} ${CLOCK_AND_FENCE}`,
    )) as unknown as readonly QueryResult[];
    const rows = (results.at(-2) as QueryResult<SpaceRow>).rows;
    const { now, ...fence } = (results.at(-1) as QueryResult<{ now: bigint } & (Fence | { state: null })>)
      .rows[0]!;
    this.fence = fence.state === null ? undefined : fence;
    this.#spaces = new TransactionSpaces(this.#client, this.#locks, locked, rows);
    // The clock of the database is one for all; where it was set back, the ids of the space know.
    this.now = Math.max(Number(now), newestTime(rows));
  }

  /** The context of operations. */
  get context(): WriteContext {
    return {
      db: databaseOf(this.#client).db,
      sql: undefined,
      embedded: undefined,
      now: this.now,
      nextId: (space) => this.#spaces.next(space, this.now),
      emit: (event) => this.emit(event),
    };
  }

  emit(event: NewEvent | DocumentEvents): void {
    this.#events.push(eventRow(event));
  }

  mark(): Mark {
    return { events: this.#events.length, changes: databaseOf(this.#client).changes() };
  }

  /** True where nothing was changed or emitted. */
  isSilentSince(mark: Mark): boolean {
    return this.isUnchangedSince(mark) && this.#events.length === mark.events;
  }

  isUnchangedSince({ changes }: Mark): boolean {
    return databaseOf(this.#client).changes() === changes;
  }

  takeBackEvents({ events }: Mark): void {
    this.#events.length = events;
  }

  async savepoint(): Promise<void> {
    await this.#client.query('SAVEPOINT operation');
  }

  async rollBackToSavepoint(): Promise<void> {
    await this.#client.query('ROLLBACK TO SAVEPOINT operation');
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
          events.map(({ data }) => data),
          events.map(({ count }) => count),
        ],
      });
    }
    const saving = this.#spaces.saveStatement();
    if (saving !== '') await this.#client.query(saving);
    try {
      await this.#client.query('COMMIT');
    } catch (error) {
      throw isUnreachable(error) ? unknownOutcome() : error;
    }
    return events.length > 0;
  }
}
