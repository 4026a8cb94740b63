// Opens records. A data directory gets a thread that writes and a thread that reads, behind one object.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RecordsError } from './contracts/errors.ts';
import type {
  Caller,
  ReadOperation,
  Records,
  RecordsCopy,
  WriteOperation,
  WriteOptions,
} from './contracts/operation.ts';
import { settleCaller } from './contracts/operation.ts';
import { checkIdempotencyKey } from './idempotency/stored-answers.ts';
import {
  describeLoss,
  type LossPolicy,
  type RecordsNote,
  recordsLostError,
  recordsState,
} from './store/records-state.ts';
import { openLogGuard } from './store/sqlite/connection.ts';
import { copyRecords, sweepCopies } from './store/sqlite/copy-records.ts';
import { type NamedOperation, ThreadChannel } from './store/threads/thread-channel.ts';

/** The module of both threads of a store. */
const THREAD = new URL('./thread.ts', import.meta.url);

/** Options of `openRecords`. */
export interface OpenRecordsOptions {
  /** Calls that may wait for each thread before more are refused with `store-busy`. @default 20,000 */
  readonly mostWaiting?: number;
  /** The URL of a module that exports additional `operations`, for tests. */
  readonly extraOperations?: string;
  /**
   * The note of the state of the records (records-state.ts). Threads start at once; nothing is created, opened or locked
   * before this resolves. Records that contradict the note are refused with `records-lost`.
   */
  readonly noted?: Promise<RecordsNote | undefined>;
  /** Instead of a refusal: accept such records as they are, or set them aside and begin new ones. */
  readonly lost?: LossPolicy | undefined;
  /** Called with a sentence for damage that is found while the records are open. */
  readonly onDamage?: ((what: string) => void) | undefined;
  /**
   * Called once when the disk or a thread has failed: nothing can be written any more, and what the disk has of the last
   * writes is unknown. The process should end. @default every later call is refused with `store-failed`
   */
  readonly onFailure?: ((error: Error) => void) | undefined;
}

/**
 * Opens the records of a data directory, or those of a PostgreSQL (`postgres://…`), creating what is missing. `:memory:`
 * is a new directory that goes when it is closed. Rejects where another opener has the directory, where a newer version
 * made the records, where the database cannot be reached, and with what the store itself rejects with.
 */
export async function openRecords(dir: string, options: OpenRecordsOptions = {}): Promise<Records> {
  const mostWaiting = options.mostWaiting ?? 20_000;
  if (/^postgres(?:ql)?:/i.test(dir)) {
    // Loaded late: a data directory needs no driver.
    const { openPostgres } = await import('./store/postgres/open-postgres.ts');
    const note = await options.noted;
    const records = await openPostgres(dir, { mostWaiting });
    if (note === undefined || options.lost !== undefined) return records;
    return await refuseLost(records, note);
  }
  const passing = dir === ':memory:';
  const folder = passing ? mkdtempSync(join(tmpdir(), 'octavo-records-')) : dir;
  const dispose = (): void => {
    if (passing) rmSync(folder, { recursive: true, force: true });
  };
  const open = (role: 'writer' | 'reader'): ThreadChannel =>
    new ThreadChannel(THREAD, { role, dir: folder, extra: options.extraOperations }, mostWaiting);
  const [writer, reader] = [open('writer'), open('reader')];
  try {
    const note = await options.noted;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lastEvent = await writer.open({ note, lost: options.lost });
    await reader.open();
    sweepCopies(folder);
    // This thread outlives those of the store where the process exits: then nothing moves the log without its checksums.
    const log = openLogGuard(folder);
    const records = new EmbeddedRecords({ writer, reader, log }, lastEvent, folder, dispose);
    writer.onDamage = (what) => {
      records.damaged = what;
      options.onDamage?.(what);
    };
    let hasFailed = false;
    for (const thread of [writer, reader])
      thread.onFailure = (error) => {
        if (!hasFailed) options.onFailure?.(error);
        hasFailed = true;
      };
    return records;
  } catch (error) {
    await Promise.all([writer.close(), reader.close()]);
    dispose();
    throw error;
  }
}

/** Compares with the note; the database belongs to another process and is not changed. */
async function refuseLost(records: Records, note: RecordsNote): Promise<Records> {
  try {
    const what = describeLoss(note, await records.read(recordsState, {}));
    if (what !== undefined) throw recordsLostError(what);
    return records;
  } catch (error) {
    await records.close();
    throw error;
  }
}

interface Connections {
  readonly writer: ThreadChannel;
  readonly reader: ThreadChannel;
  readonly log: DatabaseSync;
}

class EmbeddedRecords implements Records {
  readonly #writer: ThreadChannel;
  readonly #reader: ThreadChannel;
  readonly #log: DatabaseSync;
  readonly #dir: string;
  readonly #dispose: () => void;
  readonly #listeners = new Set<(upTo: bigint) => void>();
  /** Calls with an idempotency key that have no answer yet. */
  readonly #inUse = new Set<string>();
  /** The damage that was found last. */
  damaged: string | undefined;
  #lastEvent: bigint;
  #closed: Promise<void> | undefined;

  constructor({ writer, reader, log }: Connections, lastEvent: bigint, dir: string, dispose: () => void) {
    this.#writer = writer;
    this.#reader = reader;
    this.#log = log;
    this.#lastEvent = lastEvent;
    this.#dir = dir;
    this.#dispose = dispose;
    writer.onEvents = (upTo) => {
      this.#lastEvent = upTo;
      for (const listener of this.#listeners) listener(upTo);
    };
  }

  write<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options?: WriteOptions,
  ): Promise<Result> {
    if (options?.idempotency === undefined)
      return this.#writer.call(operation, args, undefined, undefined) as Promise<Result>;
    return this.#writeOnce(operation as NamedOperation, args, options) as Promise<Result>;
  }

  submit<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options: WriteOptions | undefined,
    caller: Caller<Result>,
  ): void {
    if (options?.idempotency !== undefined) {
      settleCaller(this.write(operation, args, options), caller);
      return;
    }
    this.#writer.submit(operation, args, undefined, undefined, caller as Caller<unknown>);
  }

  async #writeOnce(operation: NamedOperation, args: unknown, options: WriteOptions): Promise<unknown> {
    const { idempotency, onReplay } = options;
    if (idempotency === undefined) throw new TypeError('there is no idempotency key');
    checkIdempotencyKey(idempotency.key);
    const mark = `${idempotency.principal}\n${idempotency.key}`;
    if (this.#inUse.has(mark))
      throw new RecordsError(
        'idempotency-key-in-use',
        'A request with this idempotency key has not been answered yet. Try again in a moment.',
      );
    this.#inUse.add(mark);
    try {
      return await this.#writer.call(operation, args, { idempotency }, onReplay);
    } finally {
      this.#inUse.delete(mark);
    }
  }

  read<Args, Result>(operation: ReadOperation<Args, Result>, args: Args): Promise<Result> {
    return this.#reader.call(operation, args, undefined, undefined) as Promise<Result>;
  }

  onEvents(listener: (upTo: bigint) => void): () => void {
    // A wrapper, so that a listener added twice is two.
    const own = (upTo: bigint): void => listener(upTo);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  lastEvent(): bigint {
    return this.#lastEvent;
  }

  damage(): string | undefined {
    return this.damaged;
  }

  copy(): Promise<RecordsCopy> {
    return copyRecords(this.#dir);
  }

  waiting(): number {
    return this.#writer.waiting + this.#reader.waiting;
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      // The reader first: the last connection to close moves the log into the database, which the reader cannot.
      await this.#reader.close();
      this.#log.close();
      await this.#writer.close();
      this.#dispose();
    })();
    return this.#closed;
  }
}
