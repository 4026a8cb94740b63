// Who is told of what the cluster has written? The outbox of the records, before the caller has its answer, so that all
// servers over the same records tell it. While the records do not answer, what is to be told waits here, up to a bound.

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@octavo/engine';
import { type DocumentChange, type Records, tellDocuments } from '@octavo/records';

/** Changes that share a commit. */
const AT_ONCE = 5_000;
/** A caller is answered after so long, told or not: what it wrote is written. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Batch {
  readonly changes: readonly DocumentChange[];
  readonly told: () => void;
}

/** What is to be told of one server's writes. */
export class DocumentNews {
  readonly #records: Pick<Records, 'write'> | undefined;
  readonly #most: number;
  readonly #failed: (thrown: unknown, waiting: number) => void;
  readonly #ending = new AbortController();
  readonly #queue: Batch[] = [];
  #waiting = 0;
  #running: Promise<void> | undefined;

  /** Without records nobody is told. `most` changes may wait; `failed` hears when they begin to, and of those that are lost. */
  constructor(
    records: Pick<Records, 'write'> | undefined,
    most: number,
    failed: (thrown: unknown, waiting: number) => void,
  ) {
    this.#records = records;
    this.#most = most;
    this.#failed = failed;
  }

  /** Changes that are not told yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `rejected_execution_exception` where so much waits that another write could not be told. */
  requireRoom(): void {
    if (this.#waiting < this.#most) return;
    throw new EngineError(
      'rejected_execution_exception',
      `events of [${this.#waiting}] writes wait for the records, which do not take them; nothing was done, try again later`,
    );
  }

  /** Resolves when changes are in the outbox, or when that takes too long: they go there all the same while this process lives. */
  async tell(changes: readonly DocumentChange[]): Promise<void> {
    if (this.#records === undefined || changes.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue.push({ changes, told: resolve });
    this.#waiting += changes.length;
    this.#running ??= this.#run(this.#records);
    const timer = setTimeout(resolve, PATIENCE_MS);
    await promise;
    clearTimeout(timer);
  }

  /** Tries once more what waits, and gives it up. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(records: Pick<Records, 'write'>): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = 0; this.#queue.length > 0; ) {
      const batches = this.#next();
      const changes = batches.flatMap((batch) => batch.changes);
      const isLast = signal.aborted;
      try {
        await records.write(tellDocuments, { changes });
        failures = 0;
        this.#queue.splice(0, batches.length);
        this.#waiting -= changes.length;
        for (const { told } of batches) told();
      } catch (error) {
        if (failures === 0 || isLast) this.#failed(error, this.#waiting);
        if (isLast) break;
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures++, 10));
        await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    this.#running = undefined;
  }

  /** The oldest that waits, as much as shares a commit. */
  #next(): Batch[] {
    const some: Batch[] = [];
    let size = 0;
    for (const batch of this.#queue) {
      if (some.length > 0 && size + batch.changes.length > AT_ONCE) break;
      some.push(batch);
      size += batch.changes.length;
    }
    return some;
  }
}
