// Records on PostgreSQL, which several processes may have open, as the server sees them.

import type { Pool } from 'pg';
import { RecordsError } from '../../contracts/errors.ts';
import type {
  Caller,
  ReadOperation,
  Records,
  WriteOperation,
  WriteOptions,
} from '../../contracts/operation.ts';
import { settleCaller } from '../../contracts/operation.ts';
import { storeFailed } from '../../contracts/store-errors.ts';
import { isLedgerWrite } from '../../ledger/operations/ledger-store.ts';
import { withClient } from './connection.ts';
import { databaseOf } from './dialect.ts';
import type { EventPump } from './event-pump.ts';
import { toRefusal } from './postgres-errors.ts';
import type { PostgresWriter } from './postgres-writer.ts';

const BEGIN =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now';

/** The parts of the store. */
interface PostgresParts {
  readonly writer: PostgresWriter;
  readonly readers: Pool;
  readonly pump: EventPump;
  /** Ends all connections. */
  readonly end: () => Promise<void>;
  readonly mostWaiting: number;
}

export class PostgresRecords implements Records {
  readonly shared = true;
  readonly #parts: PostgresParts;
  readonly #listeners = new Set<(upTo: bigint) => void>();
  readonly #running = new Set<Promise<unknown>>();
  #lastEvent = 0n;
  #closed: Promise<void> | undefined;

  constructor(parts: PostgresParts) {
    this.#parts = parts;
  }

  write<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options?: WriteOptions,
  ): Promise<Result> {
    return this.#call(() => {
      const locks = isLedgerWrite(operation) ? [] : operation.locks?.(args);
      const work = { operation: operation as WriteOperation<unknown, unknown>, args, locks };
      return this.#parts.writer.write(work, options);
    }) as Promise<Result>;
  }

  submit<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options: WriteOptions | undefined,
    caller: Caller<Result>,
  ): void {
    settleCaller(this.write(operation, args, options), caller);
  }

  read<Args, Result>(operation: ReadOperation<Args, Result>, args: Args): Promise<Result> {
    return this.#call(async () => {
      try {
        return await withClient(this.#parts.readers, async (client) => {
          const begun = (await client.query(BEGIN)) as unknown as readonly { rows: { now: bigint }[] }[];
          const now = Number(begun[1]!.rows[0]!.now);
          const result = await operation.run({ db: databaseOf(client).db, sql: undefined, now }, args);
          await client.query('COMMIT');
          return result;
        });
      } catch (error) {
        throw toRefusal(error);
      }
    }) as Promise<Result>;
  }

  onEvents(listener: (upTo: bigint) => void): () => void {
    // A wrapper, so that a listener added twice is two.
    const own = (upTo: bigint): void => listener(upTo);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** There are events up to this position. */
  heard(position: bigint): void {
    if (position <= this.#lastEvent) return;
    this.#lastEvent = position;
    for (const listener of this.#listeners) listener(position);
  }

  lastEvent(): bigint {
    return this.#lastEvent;
  }

  waiting(): number {
    return this.#running.size;
  }

  reachable(): boolean {
    return this.#parts.pump.isConnected;
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await Promise.allSettled(this.#running);
      await this.#parts.pump.close();
      await this.#parts.end();
    })();
    return this.#closed;
  }

  async #call(run: () => Promise<unknown>): Promise<unknown> {
    if (this.#closed !== undefined) throw storeFailed('it was closed');
    const { mostWaiting } = this.#parts;
    if (this.#running.size >= mostWaiting)
      throw new RecordsError(
        'store-busy',
        `${mostWaiting} calls are waiting for the records store. Try again in a moment.`,
      );
    const running = run();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}
