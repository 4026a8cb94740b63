// What became of writes whose server did not come to tell of them? Their notes are found by whoever looks first; the
// documents are looked at, and told as they are now.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginIntents,
  type DocumentChange,
  dueIntents,
  emitDocumentEvents,
  type IntendedQuery,
  type Intent,
  type Records,
  takeIntents,
} from '@octavo/records';
import { isObject } from '../../wire/router/json-body.ts';
import { type Cluster, ClusterAnswered } from '../client/cluster.ts';
import { readAnswer } from '../client/node-answer.ts';
import type { ClusterCatalog } from '../cluster-catalog.ts';
import { documentsNow, type Looked } from '../documents/current-documents.ts';
import { handOver } from './intent-notes.ts';

/** Between two looks, at most. */
const LOOK_MS = 5_000;
/** Notes that are taken at once. */
const AT_ONCE = 8;

/** What it stands on. */
export interface LeftOverOptions {
  readonly records: Pick<Records, 'read' | 'write'>;
  readonly cluster: Cluster;
  readonly catalog: ClusterCatalog;
  /** For so long a note belongs to whoever has made or taken it. */
  readonly leaseMs: number;
  /** For so long, in ms, it is tried to look at a document: then its index is told of, and no more. */
  readonly forMs: number;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Hears what keeps it from looking, once until it can look again, and what it will not tell. */
  readonly failed: (thrown: unknown) => void;
}

/** Looks for left-over notes until it is closed. */
export class LeftOver {
  readonly #options: LeftOverOptions;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: LeftOverOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { leaseMs, failed } = this.#options;
    const { signal } = this.#ending;
    const pause = Math.min(LOOK_MS, leaseMs / 4);
    let isFailing = false;
    for (;;) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      let hasFailed = false;
      // At once, and not after the rest: that can take as long as there are notes.
      const left = (thrown: unknown): void => {
        if (!isFailing && !hasFailed && !signal.aborted) failed(thrown);
        hasFailed = true;
      };
      // Records that are away or have moved, a cluster that does not answer: the notes stay.
      await this.#look(left).catch(left);
      isFailing = hasFailed;
    }
  }

  /** Looks at all that is due. What cannot be looked at is told to `left`, and holds nothing else up. */
  async #look(left: (thrown: unknown) => void): Promise<void> {
    const { records, leaseMs } = this.#options;
    const { signal } = this.#ending;
    if ((await records.read(dueIntents, { limit: 1 })) === 0) return;
    for (;;) {
      const taken = await records.write(takeIntents, { limit: AT_ONCE, leaseMs });
      let unanswered = 0;
      for (const intent of taken) {
        if (signal.aborted) return;
        try {
          const kept = await this.#end(intent);
          if (kept !== undefined) left(kept);
        } catch (error) {
          left(error);
          unanswered++;
        }
      }
      // Where there is no answer for any of them, there is none for the next ones. Those have their turn before these.
      const isAway = unanswered > 0 && unanswered === taken.length;
      if (isAway || taken.length < AT_ONCE || signal.aborted) break;
    }
  }

  /** What is left of it, in words; rejects where all of it is left. */
  async #end({ id, documents = [], query, since }: Intent): Promise<Error | undefined> {
    const { records, cluster, catalog, leaseMs, forMs, now = Date.now, failed } = this.#options;
    if (query !== undefined && (await isUnderWay(cluster, query))) {
      // Who has its name is told when it is over, and not a lease later.
      if (query.task !== undefined) await handOver(records, query, [id]);
      return undefined;
    }
    const look = async (): Promise<Looked> =>
      await documentsNow(cluster, documents.length === 0 ? undefined : await catalog.engine(true), documents);
    const { changes: found, unclear, later: waiting, laterIn, why, refused } = await look();
    if (refused !== undefined) failed(new Error(refused));
    // Who would hear of it now by its id has missed events already: none is kept for longer.
    const isOver = waiting.length > 0 && since !== undefined && now() - since > forMs;
    const later = isOver ? [] : waiting;
    if (isOver)
      failed(
        new Error(`what was begun at ${new Date(since).toISOString()} is told by its index alone: ${why}`),
      );
    let changes = found;
    const gone = changes.filter(({ kind }) => kind === 'delete');
    if (gone.length > 0) {
      // They have no numbers to be ordered by: what has come back since they were looked at is told behind them.
      await records.write(emitDocumentEvents, { changes });
      const placed = ({ index, id }: DocumentChange): string => JSON.stringify([index, id]);
      const places = new Set(gone.map(placed));
      changes = (await look()).changes.filter(
        (change) => change.kind === 'index' && places.has(placed(change)),
      );
    }
    const queries = [
      ...(query?.indices.map((index) => ({ index, by: query.by })) ?? []),
      ...new Set([...unclear, ...(isOver ? laterIn : [])])
        .values()
        .map((index) => ({ index, by: 'write' as const })),
    ];
    const ended = later.length === 0 ? [id] : [];
    if (changes.length + queries.length + ended.length > 0)
      await records.write(emitDocumentEvents, { changes, queries, ended });
    // A note of its own for what is to be looked at again, so that the others are told once. Older versions did not say when.
    const isAsItWas =
      since !== undefined &&
      later.length === documents.length &&
      later.every((each, i) => each === documents[i]);
    if (later.length > 0 && !isAsItWas)
      await records.write(beginIntents, {
        intents: [{ id: randomUUID(), documents: later, since }],
        ...{ leaseMs, ended: [id] },
      });
    return why === undefined || isOver ? undefined : new Error(why);
  }
}

/** True while the cluster is at it. Of a query without a name: at any that changes documents. */
async function isUnderWay(cluster: Cluster, { task }: IntendedQuery): Promise<boolean> {
  const path =
    task === undefined ? '/_tasks?actions=*byquery,*reindex' : `/_tasks/${encodeURIComponent(task)}`;
  const answer = await cluster.ask({ method: 'GET', path, repeatable: true });
  // Nobody knows of it any more.
  if (answer.status === 404) return false;
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const reply = readAnswer(answer.body);
  if (!isObject(reply)) return false;
  if (task !== undefined) return reply['completed'] === false;
  const { nodes } = reply;
  return (
    isObject(nodes) &&
    Object.values(nodes).some((node) => isObject(node) && Object.keys(Object(node['tasks'])).length > 0)
  );
}
