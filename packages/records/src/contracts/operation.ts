// The contract of an operation: a named function over the database, written once for every store.
//
//   caller ──write(op, args)──▶ queue ──▶ writing thread: BEGIN  op op op op  COMMIT (one fsync) ──▶ replies
//   caller ──read(op, args)───▶ reading thread (its own connection; on PostgreSQL a pooled one)
//
// Embedded, operations run inside worker threads and are found there by name: each must be listed in `operations.ts`, and
// arguments and results must survive structured cloning (bigint is fine, functions are not).

import type { Kysely } from 'kysely';
import type { Database } from '../schema/database.ts';
import type { RecordsError } from './errors.ts';
import type { DocumentEvents, NewEvent } from './events.ts';

/** The context of a write. */
export interface WriteContext {
  /** The open transaction. Integers read back as bigint. */
  readonly db: Kysely<Database>;
  /** Prepared statements of the embedded store, for hot writes; undefined on PostgreSQL. */
  readonly sql: Statements | undefined;
  /** The time of the commit in ms since 1970: one for the whole group, never running backwards. */
  readonly now: number;
  /** An id for `space` (a feed, a chat): UUIDv7, above all earlier ids of the space, whatever the clock does. */
  nextId(space: string): Promise<string>;
  /** Emits an event if and when this write commits. */
  readonly emit: (event: NewEvent | DocumentEvents) => void;
  /** What only the writing thread of the embedded store can do; undefined on PostgreSQL. */
  readonly embedded: EmbeddedContext | undefined;
}

/** See above. */
export interface EmbeddedContext {
  readonly sql: Statements;
  /** `nextId` without a promise. */
  nextId(space: string): string;
  /** Emits `transfer.created` by the position in the journal: neighbours share a row of the outbox. */
  emitTransfer(position: bigint): void;
  /** The buffer that the thread has under a name, made at its first use. */
  buffer<T extends WriteBehind>(name: string, make: () => T): T;
}

/** A write-behind buffer of the writing thread: caches, and rows that are collected until they can be written together. */
export interface WriteBehind {
  /** Writes what is collected: before the commit, and before any operation that is not `buffered`. */
  flush(): void;
  /** After a rollback: drops everything that is cached or collected. */
  forget(): void;
}

/** Prepared statements by their text, compiled once. Rows are objects, integers are bigints. */
export interface Statements {
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /** The number of rows changed. */
  run(text: string, ...values: SqlValue[]): number;
}

export type SqlValue = null | string | number | bigint | Uint8Array;

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
  /** True promises that everything it reads and writes goes through a write-behind buffer, which then need not be flushed. */
  readonly buffered?: boolean;
  /**
   * Names of what it locks (`feed:news`): where several processes write to one store, writes with a name in common run one
   * after the other, all others in parallel. Without `locks` the operation excludes every other write. Rows that no other
   * operation reads before it changes them need no lock.
   */
  readonly locks?: (args: Args) => readonly string[];
  readonly run: (context: WriteContext, args: Args) => Promise<Result> | Result;
  /**
   * Does what `run` does for neighbouring calls with the same locks, in fewer statements, and returns their results in order.
   * It refuses before its first write. For stores where a statement is a round trip.
   */
  readonly runMany?: (
    context: WriteContext,
    calls: readonly Args[],
  ) => Promise<readonly CallResult<Result>[]>;
}

/** The result of one call of several. */
export type CallResult<Result> = { readonly result: Result } | { readonly refused: RecordsError };

/** The context of a read. */
export interface ReadContext {
  readonly db: Kysely<Database>;
  readonly sql: Statements | undefined;
  readonly now: number;
}

/** A read. All its statements see one snapshot. */
export interface ReadOperation<Args, Result> {
  readonly kind: 'read';
  readonly name: string;
  readonly run: (context: ReadContext, args: Args) => Promise<Result> | Result;
}

/** An operation whose types have been checked where it was called. */
export type AnyOperation = WriteOperation<never, unknown> | ReadOperation<never, unknown>;

/** The identity of a call whose answer is stored. */
export interface IdempotentCall {
  /** The caller: keys of different principals never meet. */
  readonly principal: string;
  /** 1 to 255 characters of printable ASCII. */
  readonly key: string;
  /** A hash of what makes the request the same: method, path, parameters, body. */
  readonly fingerprint: string;
}

export interface WriteOptions {
  /** Answer and change commit together. The same call again receives the same answer, refusal or not. */
  readonly idempotency?: IdempotentCall;
  /** Called before the promise settles when the answer is a stored one: `Idempotent-Replayed: true`. */
  readonly onReplay?: () => void;
}

/** Receives the result of a call: once, and never before the call has returned. */
export interface Caller<Result> {
  done(result: Result): void;
  failed(error: Error): void;
}

/** A copy of the database file with everything that was committed at one moment. */
export interface RecordsCopy {
  readonly bytes: number;
  /** From its beginning, in pieces of at most 1 MiB. */
  read(): Iterable<Uint8Array>;
  close(): void;
}

/** The records as the server sees them: the same over SQLite and PostgreSQL. */
export interface Records {
  /** Durable when it resolves. */
  write<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options?: WriteOptions,
  ): Promise<Result>;
  /** `write` for a hot path, where a promise costs as much as handling the answer. */
  submit<Args, Result>(
    operation: WriteOperation<Args, Result>,
    args: Args,
    options: WriteOptions | undefined,
    caller: Caller<Result>,
  ): void;
  read<Args, Result>(operation: ReadOperation<Args, Result>, args: Args): Promise<Result>;
  /** Calls the listener after a commit that emitted events, with the highest position. Returns how to stop it. */
  onEvents(listener: (upTo: bigint) => void): () => void;
  /** The highest position committed so far. */
  lastEvent(): bigint;
  /** Calls that have no answer yet. */
  waiting?(): number;
  /** True where other processes may have the same records open. */
  readonly shared?: boolean;
  /** False while a store on another machine does not answer. */
  reachable?(): boolean;
  /** The damage that was found so far; undefined where none was. */
  damage?(): string | undefined;
  /** A copy of `records.db` as it is now; undefined on PostgreSQL, which has `pg_dump`. */
  copy?(): Promise<RecordsCopy>;
  close(): Promise<void>;
}

/** Passes the outcome of a promise to a caller. */
export function settleCaller<Result>(promise: Promise<Result>, caller: Caller<Result>): void {
  promise.then(
    (result) => caller.done(result),
    (error) => caller.failed(error),
  );
}
