// Group commit on PostgreSQL. Calls with the same locks wait in one queue; the next transaction takes all
// calls that wait. Queues with other locks run in parallel, on connections of their own.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { RecordsError } from '../../contracts/errors.ts';
import type { WriteOptions } from '../../contracts/operation.ts';
import { checkIdempotencyKey } from '../../idempotency/stored-answers.ts';
import { isLedgerWrite } from '../../ledger/operations/ledger-store.ts';
import { hasTransfers, withPositions } from '../../ledger/postgres/ledger-group.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';
import { withClient } from './connection.ts';
import { databaseOf } from './dialect.ts';
import { isRetryable, toRefusal } from './postgres-errors.ts';
import {
  type CallEnding,
  type CommittedGroup,
  GroupFailedError,
  type PostgresCall,
  runGroup,
} from './run-group.ts';

/** Calls of one transaction. */
const GROUP = 200;

/** Tries of a transaction that conflicts with others. */
const TRIES = 8;

interface Call extends PostgresCall {
  readonly onReplay: (() => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The writing side of the store. */
export class PostgresWriter {
  readonly #pool: Pool;
  readonly #locks: AdvisoryLocks;
  /** Called after a commit with events, before its callers are answered. */
  readonly #settle: () => Promise<void>;
  readonly #queues = new Map<string, Call[]>();

  constructor(pool: Pool, locks: AdvisoryLocks, settle: () => Promise<void>) {
    this.#pool = pool;
    this.#locks = locks;
    this.#settle = settle;
  }

  write(request: Omit<PostgresCall, 'idempotency'>, options: WriteOptions | undefined): Promise<unknown> {
    const idempotency = options?.idempotency;
    if (idempotency !== undefined) checkIdempotencyKey(idempotency.key);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = { ...request, idempotency, onReplay: options?.onReplay, resolve, reject };
    const name = isLedgerWrite(request.operation) ? '@ledger' : (request.locks?.join('\n') ?? '@everything');
    // Without names there is nothing to wait for.
    if (name === '') void this.#run([call]);
    else this.#queue(name, call);
    return promise;
  }

  #queue(name: string, call: Call): void {
    const queue = this.#queues.get(name);
    if (queue !== undefined) {
      queue.push(call);
      return;
    }
    const own = [call];
    this.#queues.set(name, own);
    void this.#drain(name, own);
  }

  async #drain(name: string, queue: Call[]): Promise<void> {
    // Calls of the same turn of the event loop join the group.
    await Promise.resolve();
    while (queue.length > 0) await this.#run(queue.splice(0, GROUP));
    this.#queues.delete(name);
  }

  async #run(group: readonly Call[]): Promise<void> {
    try {
      this.#answer(group, await this.#retried((client) => runGroup(client, this.#locks, group)));
    } catch (error) {
      if (error instanceof GroupFailedError) for (const call of group) await this.#run([call]);
      else for (const call of group) call.reject(toRefusal(error));
    }
  }

  /** Answers the callers when their events have positions. The next group does not wait for that. */
  #answer(group: readonly Call[], { endings, hasEvents }: CommittedGroup): void {
    const answer = (answers: readonly CallEnding[]): void => {
      for (const [at, ending] of answers.entries()) {
        const { resolve, reject, onReplay } = group[at]!;
        if (ending.replayed) onReplay?.();
        if ('error' in ending) reject(ending.error);
        else resolve(ending.result);
      }
    };
    const needsPositions = endings.some((ending) => 'result' in ending && hasTransfers(ending.result));
    if (!hasEvents && !needsPositions) answer(endings);
    else
      void (async () => {
        if (hasEvents) await this.#settle();
        answer(needsPositions ? await this.#withPositions(endings) : endings);
      })();
  }

  /** Results with positions; as committed, where these cannot be looked up now. */
  async #withPositions(endings: readonly CallEnding[]): Promise<readonly CallEnding[]> {
    try {
      const results = await withClient(this.#pool, (client) =>
        withPositions(
          databaseOf(client).db,
          endings.map((ending) => ('result' in ending ? ending.result : undefined)),
        ),
      );
      return endings.map((ending, at) => ('result' in ending ? { ...ending, result: results[at] } : ending));
    } catch {
      return endings;
    }
  }

  async #retried(run: (client: ClientBase) => Promise<CommittedGroup>): Promise<CommittedGroup> {
    for (let tries = 1; ; tries++) {
      try {
        return await withClient(this.#pool, run);
      } catch (error) {
        if (error instanceof RecordsError || !isRetryable(error) || tries === TRIES) throw error;
        await sleep(Math.random() * 5 * 2 ** tries);
      }
    }
  }
}
