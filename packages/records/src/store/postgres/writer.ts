// How do many writes share one commit? Calls with the same locks wait in one line; whoever is next takes all that waits into
// one transaction. Lines of other locks go on beside it, on connections of their own.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { RecordsError } from '../../errors.ts';
import { checkKey } from '../../idempotency/key.ts';
import type { WriteOptions } from '../../operation.ts';
import { withClient } from './connection.ts';
import { isWorthRetrying, refusalOf } from './failures.ts';
import type { Locks } from './locks.ts';
import { type Committed, GroupBroken, runOnce, runTogether, type Work } from './transaction.ts';

/** Calls of one transaction. */
const GROUP = 100;

/** So often a transaction runs that others keep getting in the way of. */
const TRIES = 8;

interface Call extends Work {
  readonly options: WriteOptions | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The writing side of the store. */
export class PostgresWriter {
  readonly #pool: Pool;
  readonly #locks: Locks;
  /** What follows a commit with events, before its callers are answered. */
  readonly #settle: () => Promise<void>;
  readonly #lines = new Map<string, Call[]>();

  constructor(pool: Pool, locks: Locks, settle: () => Promise<void>) {
    this.#pool = pool;
    this.#locks = locks;
    this.#settle = settle;
  }

  write(work: Work, options: WriteOptions | undefined): Promise<unknown> {
    if (options?.idempotency !== undefined) checkKey(options.idempotency.key);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = { ...work, options, resolve, reject };
    const line = work.locks?.join('\n');
    // Without names there is nothing to wait for.
    if (line === '') void this.#runAlone(call);
    else this.#queue(line ?? '@everything', call);
    return promise;
  }

  #queue(name: string, call: Call): void {
    const line = this.#lines.get(name);
    if (line !== undefined) {
      line.push(call);
      return;
    }
    const own = [call];
    this.#lines.set(name, own);
    void this.#drain(name, own);
  }

  async #drain(name: string, line: Call[]): Promise<void> {
    // What else comes in this turn goes along.
    await Promise.resolve();
    while (line.length > 0) {
      const group = line.splice(0, groupSize(line));
      if (group.length === 1) await this.#runAlone(group[0]!);
      else await this.#runGroup(group);
    }
    this.#lines.delete(name);
  }

  async #runGroup(group: readonly Call[]): Promise<void> {
    try {
      this.#answer(group, await this.#retried((client) => runTogether(client, this.#locks, group)));
    } catch (error) {
      if (error instanceof GroupBroken) for (const call of group) await this.#runAlone(call);
      else for (const call of group) call.reject(refusalOf(error));
    }
  }

  async #runAlone(call: Call): Promise<void> {
    const idempotency = call.options?.idempotency;
    try {
      const committed = await this.#retried((client) =>
        idempotency === undefined
          ? runTogether(client, this.#locks, [call])
          : runOnce(client, this.#locks, call, idempotency),
      );
      if (committed.replayed) call.options?.onReplay?.();
      this.#answer([call], committed);
    } catch (error) {
      call.reject(refusalOf(error));
    }
  }

  /** The next group need not wait for what follows a commit; the callers do. */
  #answer(group: readonly Call[], { endings, hasEvents }: Committed): void {
    const answer = (): void => {
      for (const [at, ending] of endings.entries()) {
        if ('error' in ending) group[at]!.reject(ending.error);
        else group[at]!.resolve(ending.result);
      }
    };
    if (hasEvents) void this.#settle().then(answer, answer);
    else answer();
  }

  async #retried(run: (client: Parameters<typeof runOnce>[0]) => Promise<Committed>): Promise<Committed> {
    for (let tries = 1; ; tries++) {
      try {
        return await withClient(this.#pool, run);
      } catch (error) {
        if (error instanceof RecordsError || !isWorthRetrying(error) || tries === TRIES) throw error;
        await sleep(Math.random() * 5 * 2 ** tries);
      }
    }
  }
}

/** Calls whose answers are kept run alone: their keys are locked as well. */
function groupSize(line: readonly Call[]): number {
  if (line[0]!.options?.idempotency !== undefined) return 1;
  const first = line.findIndex(({ options }) => options?.idempotency !== undefined);
  return Math.min(first === -1 ? line.length : first, GROUP);
}
