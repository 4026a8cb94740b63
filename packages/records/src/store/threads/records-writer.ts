// The writing side of the embedded store: group commit. All calls that wait run in one transaction, each operation in turn;
// a refused one is undone alone. One COMMIT, with one fsync, ends the group, and only then its callers are answered.

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { RecordsError } from '../../contracts/errors.ts';
import type { AnyOperation, WriteBehind, WriteContext, WriteOperation } from '../../contracts/operation.ts';
import { isBusy, packError, severityOf, storeFailed, storeFull } from '../../contracts/store-errors.ts';
import {
  findAnswer,
  type PackedOutcome,
  purgeAnswers,
  storeAnswer,
} from '../../idempotency/stored-answers.ts';
import { GroupEvents } from '../../outbox/group-events.ts';
import type { Database } from '../../schema/database.ts';
import type { Fence } from '../../schema/store-tables.ts';
import { IdSpaces } from '../id-spaces.ts';
import { commitsOf } from '../records-state.ts';
import { lazyKysely } from '../sqlite/dialect.ts';
import { PreparedStatements } from '../sqlite/prepared-statements.ts';
import { fenceRefusal, SELECT_FENCE } from '../write-fence.ts';
import type { ThreadAnswer, ThreadAnswers, ThreadCall } from './messages.ts';

const LAST_EVENT = "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'";
const READ_CLOCK = "SELECT last_id FROM space WHERE name = '@clock'";
const WRITE_CLOCK =
  "INSERT INTO space (name, last_id) VALUES ('@clock', ?), ('@commits', ?) ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id";

/** How often old answers are purged, once there are none left. */
const PURGE_EVERY_MS = 1_000;

/** An operation that promised to check first has thrown after a write: the group runs again with savepoints. */
class PromiseBroken extends Error {}

/** A group is durable, but the files beside the database could not be told: it must not run again. */
class FailedAfterCommit extends Error {}

/** The writing side of the store, inside its thread. */
export class RecordsWriter {
  readonly #database: DatabaseSync;
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #statements: PreparedStatements;
  readonly #db: () => Kysely<Database>;
  readonly #spaces: IdSpaces;
  readonly #committed: (commits: number) => void;
  /** The time of the newest group. Time never runs backwards, not even over restarts. */
  #now: number;
  /** Committed groups in the life of the store. */
  #commits: number;
  /** When old answers are purged next. */
  #purgeAt = 0;
  #failed: RecordsError | undefined;
  readonly #buffers = new Map<string, WriteBehind>();
  /** The position of the newest event. */
  #lastEvent: bigint;

  /** REQUIRES: the schema is the newest. `committed` is called for each durable group, before its callers are answered. */
  constructor(
    database: DatabaseSync,
    operations: ReadonlyMap<string, AnyOperation>,
    committed: (commits: number) => void = () => {},
  ) {
    this.#database = database;
    this.#committed = committed;
    this.#operations = operations;
    this.#statements = new PreparedStatements(database);
    this.#db = lazyKysely(this.#statements);
    this.#spaces = new IdSpaces(this.#statements);
    this.#now = Number(this.#statements.get<{ last_id: string }>(READ_CLOCK)?.last_id ?? 0);
    this.#commits = commitsOf(this.#statements);
    this.#lastEvent = this.#statements.get<{ seq: bigint }>(LAST_EVENT)?.seq ?? 0n;
  }

  /** Why nothing can be written any more; undefined while it can. */
  get failure(): RecordsError | undefined {
    return this.#failed;
  }

  /** The position of the newest event ever, 0 before the first. */
  lastEvent(): bigint {
    return this.#lastEvent;
  }

  /** Runs the calls as one group. Never throws: failures are in the answers. */
  async run(calls: readonly ThreadCall[]): Promise<ThreadAnswers> {
    if (this.#failed !== undefined) return refuseAll(calls, this.#failed);
    try {
      return await this.#group(calls, false);
    } catch (error) {
      if (error instanceof FailedAfterCommit || severityOf(error) !== 'operation' || isBusy(error))
        return this.#fail(calls, error);
    }
    // A mistake of one operation, noticed too late to undo it alone: the group runs again, each call behind a savepoint.
    try {
      this.#rollBack();
      return await this.#group(calls, true);
    } catch (error) {
      return this.#fail(calls, error);
    }
  }

  async #group(calls: readonly ThreadCall[], careful: boolean): Promise<ThreadAnswers> {
    this.#now = Math.max(this.#now, Date.now());
    this.#statements.prepared('BEGIN IMMEDIATE').run();
    const fence = this.#statements.get<Fence>(SELECT_FENCE);
    if (fence !== undefined) return await this.#behindFence(calls, fence);
    const before = this.#statements.changes;
    const answers: ThreadAnswer[] = [];
    const events = new GroupEvents();
    const context = this.#context(events);
    for (const call of calls) {
      const answering = this.#answer(call, context, events, careful);
      answers.push(answering instanceof Promise ? await answering : answering);
    }
    this.#flush();
    if (this.#statements.changes === before && events.mark() === 0) {
      this.#statements.prepared('ROLLBACK').run();
      return { answers, lastEvent: undefined };
    }
    if (this.#now >= this.#purgeAt && !purgeAnswers(this.#statements, this.#now))
      this.#purgeAt = this.#now + PURGE_EVERY_MS;
    const lastEvent = events.write(this.#statements, this.#lastEvent, this.#now);
    this.#spaces.save();
    this.#statements.run(WRITE_CLOCK, String(this.#now), String(this.#commits + 1));
    this.#statements.prepared('COMMIT').run();
    this.#commits += 1;
    try {
      this.#committed(this.#commits);
    } catch (error) {
      throw new FailedAfterCommit(error instanceof Error ? error.message : String(error));
    }
    if (lastEvent !== undefined) this.#lastEvent = lastEvent;
    this.#spaces.trim();
    return { answers, lastEvent };
  }

  /** Runs calls behind a fence: stored answers and calls without changes are answered; all others are refused. */
  async #behindFence(calls: readonly ThreadCall[], fence: Fence): Promise<ThreadAnswers> {
    const refusal = packError(fenceRefusal(fence));
    const events = new GroupEvents();
    const context = this.#context(events);
    const answers: ThreadAnswer[] = [];
    for (const call of calls) {
      const [changes, told] = [this.#statements.changes, events.mark()];
      const answer = await this.#answer(call, context, events, true);
      const isSilent = this.#statements.changes === changes && events.mark() === told;
      const stands = answer.replayed || (answer.thrown === undefined && isSilent);
      answers.push(stands ? answer : { ...answer, thrown: refusal, result: undefined });
    }
    this.#rollBack();
    return { answers, lastEvent: undefined };
  }

  #answer(
    { id, name, args, options }: ThreadCall,
    context: WriteContext,
    events: GroupEvents,
    careful: boolean,
  ): ThreadAnswer | Promise<ThreadAnswer> {
    const idempotency = options?.idempotency;
    try {
      if (idempotency !== undefined) {
        const kept = findAnswer(this.#statements, idempotency, this.#now);
        if (kept !== undefined) return { id, ...kept, replayed: true };
      }
    } catch (error) {
      if (!(error instanceof RecordsError)) throw error;
      return { id, thrown: packError(error), result: undefined, replayed: false };
    }
    const operation = this.#operations.get(name);
    const outcome =
      operation?.kind === 'write'
        ? this.#attempt(operation as WriteOperation<unknown, unknown>, args, context, events, careful)
        : { thrown: packError(new Error(`there is no write operation ${name}`)), result: undefined };
    const answered = ({ thrown, result }: PackedOutcome): ThreadAnswer => {
      if (idempotency !== undefined)
        storeAnswer(this.#statements, idempotency, { thrown, result }, this.#now);
      return { id, thrown, result, replayed: false };
    };
    return outcome instanceof Promise ? outcome.then(answered) : answered(outcome);
  }

  /** Returns no promise for synchronous operations: a promise costs as much as a small write. */
  #attempt(
    operation: WriteOperation<unknown, unknown>,
    args: unknown,
    context: WriteContext,
    events: GroupEvents,
    careful: boolean,
  ): PackedOutcome | Promise<PackedOutcome> {
    const savepoint = careful || operation.checksFirst !== true;
    const mark = events.mark();
    if (savepoint || operation.buffered !== true) this.#flush();
    const changes = this.#statements.changes;
    if (savepoint) this.#statements.prepared('SAVEPOINT operation').run();
    const succeed = (result: unknown): PackedOutcome => {
      if (savepoint) {
        this.#flush();
        this.#statements.prepared('RELEASE operation').run();
      }
      return { thrown: undefined, result };
    };
    const fail = (error: unknown): PackedOutcome => {
      events.backTo(mark);
      // Some errors of SQLite take the whole transaction with them.
      if (severityOf(error) !== 'operation' || !this.#database.isTransaction) throw error;
      if (savepoint) {
        this.#database.exec('ROLLBACK TO operation; RELEASE operation');
        this.#forget();
      } else if (this.#statements.changes !== changes || !(error instanceof RecordsError)) {
        // What is collected in a buffer changes no row: only a refusal is trusted to have come before the first write.
        throw new PromiseBroken();
      }
      return { thrown: packError(error), result: undefined };
    };
    try {
      const running = operation.run(context, args);
      return running instanceof Promise ? running.then(succeed).catch(fail) : succeed(running);
    } catch (error) {
      return fail(error);
    }
  }

  #context(events: GroupEvents): WriteContext {
    const now = this.#now;
    const spaces = this.#spaces;
    const db = this.#db;
    return {
      get db() {
        return db();
      },
      sql: this.#statements,
      now,
      nextId: async (space) => spaces.next(space, now),
      emit: (event) => events.add(event),
      embedded: {
        sql: this.#statements,
        nextId: (space) => spaces.next(space, now),
        emitTransfer: (position) => events.addTransfer(position),
        buffer: (name, make) => {
          let buffer = this.#buffers.get(name);
          if (buffer === undefined) this.#buffers.set(name, (buffer = make()));
          // A name stands for one class.
          return buffer as ReturnType<typeof make>;
        },
      },
    };
  }

  #flush(): void {
    for (const buffer of this.#buffers.values()) buffer.flush();
  }

  #forget(): void {
    for (const buffer of this.#buffers.values()) buffer.forget();
  }

  #rollBack(): void {
    this.#forget();
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #fail(calls: readonly ThreadCall[], error: unknown): ThreadAnswers {
    try {
      this.#rollBack();
    } catch {
      // The callers receive the original failure.
    }
    const severity = severityOf(error);
    if (severity === 'full') return refuseAll(calls, storeFull());
    if (isBusy(error))
      return refuseAll(
        calls,
        new RecordsError('store-busy', 'Another program is writing to records.db. Try again.'),
      );
    this.#failed = storeFailed(error instanceof Error ? error.message : String(error));
    return refuseAll(calls, this.#failed);
  }
}

function refuseAll(calls: readonly ThreadCall[], refusal: RecordsError): ThreadAnswers {
  const thrown = packError(refusal);
  const answers = calls.map(({ id }) => ({ id, thrown, result: undefined, replayed: false }));
  return { answers, lastEvent: undefined };
}
