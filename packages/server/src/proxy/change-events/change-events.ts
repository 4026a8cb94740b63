// Publishes what was written to the cluster, through the outbox of the records, before the caller is
// answered. All servers over the same records then deliver it.
// - While events are followed, a write is noted in the records before it is sent. The note survives a killed
//   server (pending-intents.ts).
// - While the records are unreachable, changes wait here, up to a bound; beyond it writes are refused.
// - Once the records have moved, writes are refused before they are sent.

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@octavo/engine';
import {
  type DocumentChange,
  emitDocumentEvents,
  type IntendedQuery,
  type Intent,
  type QueryChange,
  type Records,
  RecordsError,
} from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';
import type { Followers } from '../../events/followers.ts';
import type { FenceWatch } from '../../observe/fence-watch.ts';
import { NotPerformed } from '../client/peer-cluster.ts';
import { noteIntents, noteRunningQuery } from './intent-notes.ts';
import type { WrittenChanges } from './written-documents.ts';

/** Changes written in one transaction, about. */
const CHANGES_PER_COMMIT = 5_000;
/** The longest a caller waits for publication. Its write is already done. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Changes that are published in one transaction or not at all. */
interface EventBatch {
  readonly changes: readonly DocumentChange[];
  readonly queries: readonly QueryChange[];
  /** Notes that are removed in the same transaction. */
  readonly intents: readonly string[];
  /** True if a note covers the write: another server publishes it if this one cannot. */
  readonly isNoted: boolean;
  readonly ended: (isLost: boolean) => void;
}

/** How writes are noted before they are sent. */
export interface IntentOptions {
  /** Writes are only noted while there are followers. */
  readonly followers: Pick<Followers, 'exist'>;
  /** How long other servers leave a note alone. */
  readonly leaseMs: number;
}

/** Listeners for changes that could not be published. */
export interface DeliveryFailures {
  /** Publishing failed or the server is closing, with `waiting` changes in the queue. */
  readonly delayed: (thrown: unknown, waiting: number) => void;
  /** These changes were written and are never published: the records have moved. */
  readonly lost: (changes: readonly DocumentChange[]) => void;
  /** The outcome of writes without an answer cannot be determined now (pending-intents.ts). */
  readonly unresolved: (thrown: unknown) => void;
}

/** The most documents named in one line. */
const MOST_LOGGED = 100;

export function logDeliveryFailures(log: () => Pick<FastifyBaseLogger, 'error'>): DeliveryFailures {
  return {
    delayed: (thrown, waiting) =>
      log().error({ err: thrown, waiting }, 'document events cannot be published now'),
    lost: (changes) =>
      log().error(
        { lost: changes.length, documents: changes.slice(0, MOST_LOGGED) },
        'document events are lost: the documents were written while the records moved; write them again through a server on the new records',
      ),
    unresolved: (thrown) =>
      log().error({ err: thrown }, 'the outcome of writes without an answer cannot be determined now'),
  };
}

/** The change events of one server's writes. */
export class ChangeEvents {
  readonly #records: Pick<Records, 'write'> | undefined;
  readonly #capacity: number;
  readonly #failures: DeliveryFailures;
  readonly #fence: Pick<FenceWatch, 'current'> | undefined;
  readonly #intents: IntentOptions | undefined;
  readonly #ending = new AbortController();
  readonly #queue: EventBatch[] = [];
  #waiting = 0;
  #lost = 0;
  #running: Promise<void> | undefined;

  /**
   * Without `records` nothing is published; without `intents` nothing is noted. `capacity` bounds the waiting
   * changes; `fence` says whether the records accept writes.
   */
  constructor(
    records: Pick<Records, 'write'> | undefined,
    capacity: number,
    failures: DeliveryFailures,
    fence?: Pick<FenceWatch, 'current'>,
    intents?: IntentOptions,
  ) {
    this.#records = records;
    this.#capacity = capacity;
    this.#failures = failures;
    this.#fence = fence;
    this.#intents = intents;
  }

  /** Changes not published yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Changes that were written and are never published. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Checks that a write could be published before it is sent. Throws `records_moved_exception` if the records
   * have moved or not yet arrived, `rejected_execution_exception` if the queue is full.
   */
  async requireCapacity(): Promise<void> {
    const fence = await this.#fence?.current();
    if (fence !== undefined)
      throw new EngineError(
        'records_moved_exception',
        fence.state === 'gone'
          ? `the records moved to another store at [${fence.since}], so the events of this write would be lost; the request was not performed, send it to a server on the new records`
          : `the records are being moved here since [${fence.since}], so the events of this write would be lost; the request was not performed, try again when the move is complete`,
      );
    if (this.#waiting < this.#capacity) return;
    throw new EngineError(
      'rejected_execution_exception',
      `events of [${this.#waiting}] writes are waiting for the records, which do not accept them; the request was not performed, try again later`,
    );
  }

  /** True if events are followed, so writes must be noted before they are sent. */
  async hasFollowers(): Promise<boolean> {
    return this.#records !== undefined && (await this.#intents?.followers.exist()) === true;
  }

  /**
   * Notes a write, sends it and publishes what it changed; `changesOf` reads the changes from the answer. If
   * there is no answer, any server that finds the note determines the outcome later. Throws like
   * `requireCapacity` and `publish`, and `records_unreachable_exception` if the note cannot be stored.
   */
  async write<T>(
    about: Omit<Intent, 'id'>,
    send: () => Promise<T>,
    changesOf: (answer: T) => WrittenChanges,
  ): Promise<T> {
    await this.requireCapacity();
    const intents = await this.#noteIntents(about);
    let answer: T;
    try {
      answer = await send();
    } catch (error) {
      if (error instanceof NotPerformed) void this.publish({ changes: [], isComplete: true }, intents);
      throw error;
    }
    const news = changesOf(answer);
    if (news.runningQuery !== undefined) await this.#noteRunningQuery(news.runningQuery, intents);
    else await this.publish(news, intents);
    return answer;
  }

  /**
   * Resolves when the changes are in the outbox, or after 2 seconds; they are then still published while this
   * process lives. Removes the notes `intents`. Throws `records_moved_exception` if the changes can never be
   * published.
   */
  async publish(
    { changes, queries = [], isComplete }: WrittenChanges,
    intents: readonly string[] = [],
  ): Promise<void> {
    const ending = isComplete ? intents : [];
    const size = changes.length + queries.length;
    if (this.#records === undefined || size + ending.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const isNoted = intents.length > 0;
    this.#queue.push({ changes, queries, intents: ending, isNoted, ended: resolve });
    this.#waiting += size;
    this.#running ??= this.#run(this.#records);
    // Only a note is removed: not worth waiting for.
    if (size === 0) return;
    const timer = setTimeout(resolve, PATIENCE_MS, false);
    const isLost = await promise;
    clearTimeout(timer);
    if (isLost)
      throw new EngineError(
        'records_moved_exception',
        'the records moved to another store during this write: the documents were written, but their events are lost; send the write again to a server on the new records',
      );
  }

  /** Tries once more to publish the waiting changes, then gives up. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(records: Pick<Records, 'write'>): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = 0; this.#queue.length > 0; ) {
      const batches = this.#nextBatches();
      const changes = batches.flatMap((batch) => batch.changes);
      const queries = batches.flatMap((batch) => batch.queries);
      const ended = batches.flatMap((batch) => batch.intents);
      const isLast = signal.aborted;
      try {
        await records.write(emitDocumentEvents, { changes, queries, ended });
        failures = 0;
        this.#queue.splice(0, batches.length);
        this.#waiting -= changes.length + queries.length;
        for (const { ended } of batches) ended(false);
      } catch (error) {
        if (await this.#isPermanent(error)) {
          this.#discard();
          continue;
        }
        if (failures === 0 || isLast) this.#failures.delayed(error, this.#waiting);
        if (isLast) break;
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures++, 10));
        await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    this.#running = undefined;
  }

  /** True if the records have moved away. Records on their way here will accept the changes later. */
  async #isPermanent(error: unknown): Promise<boolean> {
    if (!(error instanceof RecordsError && error.code === 'records-moved')) return false;
    return (await this.#fence?.current(true))?.state === 'gone';
  }

  /** Drops the queue. Noted changes are published where the records are now. */
  #discard(): void {
    const batches = this.#queue.splice(0);
    this.#waiting = 0;
    const lost = batches.filter(({ isNoted }) => !isNoted).flatMap(({ changes }) => changes);
    this.#lost += lost.length;
    if (lost.length > 0) this.#failures.lost(lost);
    for (const { ended, isNoted } of batches) ended(!isNoted);
  }

  /** The ids of the notes; none if nothing is followed. */
  async #noteIntents(about: Omit<Intent, 'id'>): Promise<readonly string[]> {
    const isEmpty = (about.documents ?? []).length === 0 && about.query === undefined;
    if (this.#records === undefined || this.#intents === undefined || isEmpty) return [];
    try {
      return await noteIntents(this.#records, about, this.#intents.leaseMs);
    } catch (error) {
      // The records moved since the last check: refuse with the same error.
      if (error instanceof RecordsError && error.code === 'records-moved') {
        await this.#fence?.current(true);
        await this.requireCapacity();
      }
      throw new EngineError(
        'records_unreachable_exception',
        'document events are being followed, and the records cannot store the intent of this write; the request was not performed, try again later',
      );
    }
  }

  /**
   * Leaves a running query to whoever checks whether it has finished. If that cannot be stored, the first
   * note stays.
   */
  async #noteRunningQuery(query: IntendedQuery, ended: readonly string[]): Promise<void> {
    try {
      if (this.#records !== undefined) await noteRunningQuery(this.#records, query, ended);
    } catch (error) {
      this.#failures.delayed(error, this.#waiting);
    }
  }

  /** The oldest waiting batches that share one transaction. */
  #nextBatches(): EventBatch[] {
    const some: EventBatch[] = [];
    let size = 0;
    for (const batch of this.#queue) {
      if (some.length > 0 && size + batch.changes.length > CHANGES_PER_COMMIT) break;
      some.push(batch);
      size += batch.changes.length;
    }
    return some;
  }
}
