// Who is told of what the cluster has written? The outbox of the records, before the caller has its answer, so that all
// servers over the same records tell it. While the records do not answer, what is to be told waits here, up to a bound. Where
// they have moved nothing would ever be told: writes are refused before they are sent.

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@octavo/engine';
import { type DocumentChange, type Records, RecordsError, tellDocuments } from '@octavo/records';
import type { FenceWatch } from '../../observe/fence.ts';

/** Changes that share a commit. */
const AT_ONCE = 5_000;
/** A caller is answered after so long, told or not: what it wrote is written. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Batch {
  readonly changes: readonly DocumentChange[];
  readonly ended: (isLost: boolean) => void;
}

/** What hears of changes that are not told. */
export interface Untold {
  /** They cannot be told now, or the server ends: `waiting` changes. */
  readonly waits: (thrown: unknown, waiting: number) => void;
  /** They were written and will not be told: the records have moved. */
  readonly lost: (changes: readonly DocumentChange[]) => void;
}

/** What is to be told of one server's writes. */
export class DocumentNews {
  readonly #records: Pick<Records, 'write'> | undefined;
  readonly #most: number;
  readonly #untold: Untold;
  readonly #fence: Pick<FenceWatch, 'look'> | undefined;
  readonly #ending = new AbortController();
  readonly #queue: Batch[] = [];
  #waiting = 0;
  #lost = 0;
  #running: Promise<void> | undefined;

  /** Without records nobody is told. `most` changes may wait; `fence` says whether the records take any. */
  constructor(
    records: Pick<Records, 'write'> | undefined,
    most: number,
    untold: Untold,
    fence?: Pick<FenceWatch, 'look'>,
  ) {
    this.#records = records;
    this.#most = most;
    this.#untold = untold;
    this.#fence = fence;
  }

  /** Changes that are not told yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Changes that were written and will never be told from here. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Before a write is sent: throws `records_moved_exception` where the records take no events any more or not yet, and
   * `rejected_execution_exception` where so much waits that another write could not be told.
   */
  async requireRoom(): Promise<void> {
    const fence = await this.#fence?.look();
    if (fence !== undefined)
      throw new EngineError(
        'records_moved_exception',
        fence.state === 'gone'
          ? `the records moved to another store at [${fence.since}], so nobody here would be told of this write; nothing was done, send it to a server over the records there`
          : `the records are on their way here since [${fence.since}], so nobody would be told of this write; nothing was done, try again when they have arrived`,
      );
    if (this.#waiting < this.#most) return;
    throw new EngineError(
      'rejected_execution_exception',
      `events of [${this.#waiting}] writes wait for the records, which do not take them; nothing was done, try again later`,
    );
  }

  /**
   * Resolves when changes are in the outbox, or when that takes too long: they go there all the same while this process
   * lives. Throws `records_moved_exception` where they never will.
   */
  async tell(changes: readonly DocumentChange[]): Promise<void> {
    if (this.#records === undefined || changes.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#queue.push({ changes, ended: resolve });
    this.#waiting += changes.length;
    this.#running ??= this.#run(this.#records);
    const timer = setTimeout(resolve, PATIENCE_MS, false);
    const isLost = await promise;
    clearTimeout(timer);
    if (isLost)
      throw new EngineError(
        'records_moved_exception',
        'the records moved to another store while this was written: the write was done, and nobody is told of it; send it again to a server over the records there',
      );
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
        for (const { ended } of batches) ended(false);
      } catch (error) {
        if (await this.#isForGood(error)) {
          this.#lose();
          continue;
        }
        if (failures === 0 || isLast) this.#untold.waits(error, this.#waiting);
        if (isLast) break;
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures++, 10));
        await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    this.#running = undefined;
  }

  /** Records on their way here will take it; those that have gone will not. */
  async #isForGood(error: unknown): Promise<boolean> {
    if (!(error instanceof RecordsError && error.code === 'records-moved')) return false;
    return (await this.#fence?.look(true))?.state === 'gone';
  }

  #lose(): void {
    const batches = this.#queue.splice(0);
    this.#lost += this.#waiting;
    this.#waiting = 0;
    this.#untold.lost(batches.flatMap(({ changes }) => changes));
    for (const { ended } of batches) ended(true);
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
