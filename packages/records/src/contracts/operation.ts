// What is one unit of work on the records? A named function over the database, written once for every store.
//
//   caller ──write(op, args)──▶ queue ──▶ records thread: BEGIN  op op op op  COMMIT (one fsync) ──▶ replies
//   caller ──read(op, args)───▶ reader thread (its own connection; on PostgreSQL a pooled one)
//
// Embedded, operations run inside worker threads and are found there by name: each must be listed in
// `operations.ts`, and arguments and results must survive structured cloning (bigint is fine, functions are not).

import type { Kysely } from 'kysely';
import type { Database } from '../schema/database.ts';
import type { RecordsError } from './errors.ts';
import type { DocumentEvents, NewEvent } from './events.ts';

/** What a write is given. */
export interface WriteContext {
  /** The open transaction. Integers read back as bigint. */
  readonly db: Kysely<Database>;
  /** Prepared statements of the embedded store, for hot writes; undefined on PostgreSQL. */
  readonly sql: Statements | undefined;
  /** The time of the commit in ms since 1970: one for the whole group, never running backwards. */
  readonly now: number;
  /** An id for `space` (a feed, a chat): UUIDv7, above all that the space has given before, clock steps or not. */
  nextId(space: string): Promise<string>;
  /** The same at once, where the store gives ids without asking anybody. */
  readonly idNow?: ((space: string) => string) | undefined;
  /** Many of them, 16 bytes each. */
  readonly idsNow?: ((space: string, count: number) => Uint8Array) | undefined;
  /** Tells the world, if and when this write commits. */
  emit(event: NewEvent | DocumentEvents): void;
  /** Tells of transfers by their positions in the journal, where the store keeps such events as one row. */
  readonly emitJournal?: ((stretch: JournalStretch) => void) | undefined;
  /** What the writing thread keeps under a name between operations, made at its first use; undefined on PostgreSQL. */
  readonly kept: (<T extends Kept>(name: string, make: () => T) => T) | undefined;
}

/** Transfers that lie one behind the other in the journal, all of them `transfer.created`. */
export interface JournalStretch {
  /** The position of the first. */
  readonly first: bigint;
  readonly count: number;
}

/** Memory of the writing thread: caches, and rows that are put off until they can be written together. */
export interface Kept {
  /** Writes what was put off: before the commit, and before any operation that does not put off itself. */
  flush(): void;
  /** Something was rolled back: nothing that is remembered or put off may stay. */
  forget(): void;
}

/** Prepared statements by their text, made once and kept. Rows are objects, integers are bigints. */
export interface Statements {
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /** The number of rows changed. */
  run(text: string, ...values: SqlValue[]): number;
}

export type SqlValue = null | string | number | bigint | Uint8Array;

/** A value that crosses threads as it is. */
export type Plain =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | ArrayBufferView
  | readonly Plain[];

/**
 * How the calls of a hot operation cross threads: as columns of plain values. `unpack` gives again what was packed; what
 * the caller knows of a result is taken from what it asked.
 */
export interface Packing<Args, Result> {
  packArgs(calls: readonly Args[]): Plain;
  /** The `Args` of each call. */
  unpackArgs(packed: Plain): readonly unknown[];
  packResults(results: readonly Result[]): Plain;
  unpackResults(packed: Plain, calls: readonly Args[]): readonly Result[];
}

/** What came of calls that ran together: their results as `packResults` would have them. */
export interface PackedRun {
  /** Calls that were done. */
  readonly done: number;
  readonly results: Plain;
}

/** A change. Throws `RecordsError` to refuse: then nothing of it stays, and nothing is emitted. */
export interface WriteOperation<Args, Result> {
  readonly kind: 'write';
  /** `feed.post`: resource and verb. */
  readonly name: string;
  /**
   * True promises that `run` throws only before its first write: it then needs no savepoint of its own, which is
   * a third of the cost of a small write.
   */
  readonly checksFirst?: boolean;
  /** True promises that all it reads and writes goes through what is `kept`, so that others' rows may stay put off. */
  readonly putsOff?: boolean;
  /**
   * What it changes alone, by name (`feed:news`): where several processes write to one store, writes with a name in
   * common follow each other, others run side by side. Without it the operation runs beside nothing. Rows that no other
   * operation reads before it changes them need no name.
   */
  readonly locks?: (args: Args) => readonly string[];
  readonly packing?: Packing<Args, Result>;
  /**
   * Runs neighbouring calls as they crossed, beginning with the one at `from`, up to the first that is not plain, which
   * `run` is then asked to do. Nothing of that one may have happened. REQUIRES: `checksFirst`, `putsOff`.
   */
  readonly runPacked?: (context: WriteContext, packed: Plain, from: number, count: number) => PackedRun;
  readonly run: (context: WriteContext, args: Args) => Promise<Result> | Result;
  /**
   * What `run` would do for calls one behind the other that have the same locks, in fewer statements: what came of each, in
   * their order. All it refuses is refused before its first write. For stores where a statement is a journey.
   */
  readonly together?: (context: WriteContext, calls: readonly Args[]) => Promise<readonly Tried<Result>[]>;
}

/** What came of one call of several. */
export type Tried<Result> = { readonly result: Result } | { readonly refused: RecordsError };

/** What a read is given. */
export interface ReadContext {
  readonly db: Kysely<Database>;
  readonly sql: Statements | undefined;
  readonly now: number;
}

/** A question. All its statements see one snapshot. */
export interface ReadOperation<Args, Result> {
  readonly kind: 'read';
  readonly name: string;
  readonly run: (context: ReadContext, args: Args) => Promise<Result> | Result;
}

/** An operation whose types have been checked where it was called. */
export type AnyOperation = WriteOperation<never, unknown> | ReadOperation<never, unknown>;

/** Who a stored answer belongs to, and what was asked. */
export interface IdempotentCall {
  /** The caller: keys of different principals never meet. */
  readonly principal: string;
  /** 1 to 255 characters of printable ASCII. */
  readonly key: string;
  /** A hash of what makes the request the same: method, path, parameters, body. */
  readonly fingerprint: string;
}

export interface WriteOptions {
  /** Answer and change commit together; the same call again is given the same answer, refusal or not. */
  readonly idempotency?: IdempotentCall;
  /** Called before the promise settles when the answer is one of earlier: `Idempotent-Replayed: true`. */
  readonly onReplay?: () => void;
}

/** Who is told what came of a call, once, and never before the call has returned. */
export interface Caller<Result> {
  done(result: Result): void;
  failed(error: Error): void;
}

/** A database file with everything that was committed at one moment. */
export interface RecordsCopy {
  readonly bytes: number;
  /** From its beginning, in pieces of at most 1 MiB. */
  read(): Iterable<Uint8Array>;
  close(): void;
}

/** The store as the server sees it: the same over SQLite and PostgreSQL. */
export interface Records {
  /** Durable when it resolves. */
  write<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options?: WriteOptions,
  ): Promise<Result>;
  /** `write` for a hot path, where a promise costs as much as what is done with the answer: the caller is told. */
  submit<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options: WriteOptions | undefined,
    caller: Caller<Result>,
  ): void;
  read<Args, Result>(operation: ReadOperation<Args, Result>, args: Args): Promise<Result>;
  /** Called after a commit that emitted events, with the highest position. Returns the way to stop it. */
  onEvents(listener: (upTo: bigint) => void): () => void;
  /** The highest position committed so far. */
  lastEvent(): bigint;
  /** Calls that have no answer yet: the depth of its queues, where the store has some. */
  waiting?(): number;
  /** True where other processes may have the same records open. */
  readonly shared?: boolean;
  /** False while a store on another machine does not answer. */
  reachable?(): boolean;
  /** What is damaged of them, as far as it was found; undefined where nothing is. */
  damage?(): string | undefined;
  /** The file `records.db` as it is now; undefined where the records are not a file: PostgreSQL has `pg_dump`. */
  copy?(): Promise<RecordsCopy>;
  close(): Promise<void>;
}
