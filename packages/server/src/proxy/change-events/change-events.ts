// Who is told of what the cluster has written? The outbox of the records, before the caller has its answer, so that all
// servers over the same records tell it. While somebody follows, what is about to be written is noted there first, so that
// it is told although this server is killed. While the records do not answer, what is to be told waits here, up to a bound.
// Where they have moved nothing would ever be told: writes are refused before they are sent.

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
import type { Followers } from '../../events/followers.ts';
import type { FenceWatch } from '../../observe/fence.ts';
import { NothingDone } from '../client/cluster.ts';
import { handOver, noteIntents } from './intent-notes.ts';
import type { Told } from './written-documents.ts';

/** Changes that share a commit. */
const AT_ONCE = 5_000;
/** A caller is answered after so long, told or not: what it wrote is written. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** What is told in one commit or not at all. */
interface Batch {
  readonly changes: readonly DocumentChange[];
  readonly queries: readonly QueryChange[];
  /** The intents that end with it. */
  readonly intents: readonly string[];
  /** True where an intent tells it, should it not be told from here. */
  readonly isNoted: boolean;
  readonly ended: (isLost: boolean) => void;
}

/** How writes are noted before they are sent. */
export interface Noting {
  /** They are only noted while there are some. */
  readonly followers: Pick<Followers, 'areThere'>;
  /** For so long nobody else looks what became of a write. */
  readonly leaseMs: number;
}

/** What hears of changes that are not told. */
export interface Untold {
  /** They cannot be told now, or the server ends: `waiting` changes. */
  readonly waits: (thrown: unknown, waiting: number) => void;
  /** They were written and will not be told: the records have moved. */
  readonly lost: (changes: readonly DocumentChange[]) => void;
  /** Nobody can look now what became of writes that were left without an answer (left-over.ts). */
  readonly unresolved: (thrown: unknown) => void;
}

/** What is to be told of one server's writes. */
export class DocumentNews {
  readonly #records: Pick<Records, 'write'> | undefined;
  readonly #most: number;
  readonly #untold: Untold;
  readonly #fence: Pick<FenceWatch, 'look'> | undefined;
  readonly #noting: Noting | undefined;
  readonly #ending = new AbortController();
  readonly #queue: Batch[] = [];
  #waiting = 0;
  #lost = 0;
  #running: Promise<void> | undefined;

  /** Without records nobody is told. `most` changes may wait; `fence` says whether the records take any. Without `noting` nothing is noted. */
  constructor(
    records: Pick<Records, 'write'> | undefined,
    most: number,
    untold: Untold,
    fence?: Pick<FenceWatch, 'look'>,
    noting?: Noting,
  ) {
    this.#records = records;
    this.#most = most;
    this.#untold = untold;
    this.#fence = fence;
    this.#noting = noting;
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
          ? `the records moved to another store at [${fence.since}], so nobody here would be told of this write; this was not done, send it to a server over the records there`
          : `the records are on their way here since [${fence.since}], so nobody would be told of this write; this was not done, try again when they have arrived`,
      );
    if (this.#waiting < this.#most) return;
    throw new EngineError(
      'rejected_execution_exception',
      `events of [${this.#waiting}] writes wait for the records, which do not take them; this was not done, try again later`,
    );
  }

  /** True where what is about to be written must be noted before. */
  async areFollowed(): Promise<boolean> {
    return this.#records !== undefined && (await this.#noting?.followers.areThere()) === true;
  }

  /**
   * Notes what is about to be written, sends it, and tells what was done: `told` reads that from the answer. What is noted
   * and has no answer is looked for later, by whichever server finds the note. Throws as `requireRoom` and `tell`, and
   * `records_unreachable_exception` where the records do not take the note.
   */
  async write<T>(about: Omit<Intent, 'id'>, send: () => Promise<T>, told: (answer: T) => Told): Promise<T> {
    await this.requireRoom();
    const intents = await this.#note(about);
    let answer: T;
    try {
      answer = await send();
    } catch (error) {
      if (error instanceof NothingDone) void this.tell({ changes: [], isAll: true }, intents);
      throw error;
    }
    const news = told(answer);
    if (news.underWay !== undefined) await this.#handOver(news.underWay, intents);
    else await this.tell(news, intents);
    return answer;
  }

  /**
   * Resolves when changes are in the outbox, or when that takes too long: they go there all the same while this process
   * lives. `intents` noted them before, and end with it. Throws `records_moved_exception` where they never will be told.
   */
  async tell({ changes, queries = [], isAll }: Told, intents: readonly string[] = []): Promise<void> {
    const ending = isAll ? intents : [];
    const size = changes.length + queries.length;
    if (this.#records === undefined || size + ending.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const isNoted = intents.length > 0;
    this.#queue.push({ changes, queries, intents: ending, isNoted, ended: resolve });
    this.#waiting += size;
    this.#running ??= this.#run(this.#records);
    // Nobody is told anything: that the intent is gone is not worth waiting for.
    if (size === 0) return;
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

  /** What was noted has gone with the records: it is told where they are. */
  #lose(): void {
    const batches = this.#queue.splice(0);
    this.#waiting = 0;
    const lost = batches.filter(({ isNoted }) => !isNoted).flatMap(({ changes }) => changes);
    this.#lost += lost.length;
    if (lost.length > 0) this.#untold.lost(lost);
    for (const { ended, isNoted } of batches) ended(!isNoted);
  }

  /** The ids of the notes; none where nobody follows. */
  async #note(about: Omit<Intent, 'id'>): Promise<readonly string[]> {
    const isEmpty = (about.documents ?? []).length === 0 && about.query === undefined;
    if (this.#records === undefined || this.#noting === undefined || isEmpty) return [];
    try {
      return await noteIntents(this.#records, about, this.#noting.leaseMs);
    } catch (error) {
      // What has moved since it was looked at is said as it was.
      if (error instanceof RecordsError && error.code === 'records-moved') {
        await this.#fence?.look(true);
        await this.requireRoom();
      }
      throw new EngineError(
        'records_unreachable_exception',
        'events of documents are followed, and the records do not take the note of this write; this was not done, try again later',
      );
    }
  }

  /** To whoever looks whether it is over. Where the records do not take that, the note stands as it is. */
  async #handOver(query: IntendedQuery, ended: readonly string[]): Promise<void> {
    try {
      if (this.#records !== undefined) await handOver(this.#records, query, ended);
    } catch (error) {
      this.#untold.waits(error, this.#waiting);
    }
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
