// Determines the outcome of writes whose server never published it. Any server over the same records takes a
// note whose lease has expired, reads the documents and publishes their present state: at least once, by
// document.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, isObject } from '@octavo/engine';
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
import { parseAnswer } from '../client/node-answer.ts';
import { ClusterErrorAnswer, type PeerCluster } from '../client/peer-cluster.ts';
import { type CurrentDocuments, readCurrentDocuments } from './current-documents.ts';
import { noteRunningQuery } from './intent-notes.ts';

/** The longest pause between two checks. */
const LOOK_MS = 5_000;
/** Notes taken at once. */
const AT_ONCE = 8;

interface PendingIntentsOptions {
  readonly records: Pick<Records, 'read' | 'write'>;
  readonly cluster: PeerCluster;
  readonly catalog: { engine(refresh: boolean): Promise<Engine> };
  /** How long a note belongs to the server that made or took it. */
  readonly leaseMs: number;
  /**
   * After so long the index of an unreadable document is published instead of the document, in milliseconds.
   */
  readonly giveUpMs: number;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /**
   * Receives the reason why notes cannot be resolved (once until they can again) and what is not published.
   */
  readonly report: (thrown: unknown) => void;
}

/** Resolves expired notes until it is closed. */
export class PendingIntents {
  readonly #options: PendingIntentsOptions;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: PendingIntentsOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { leaseMs, report } = this.#options;
    const { signal } = this.#ending;
    const pause = Math.min(LOOK_MS, leaseMs / 4);
    let isFailing = false;
    for (;;) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      let hasFailed = false;
      // Reported immediately: the rest of the round can take long.
      const left = (thrown: unknown): void => {
        if (!isFailing && !hasFailed && !signal.aborted) report(thrown);
        hasFailed = true;
      };
      // If the records or the cluster do not answer, the notes stay.
      await this.#resolveDue(left).catch(left);
      isFailing = hasFailed;
    }
  }

  /** Resolves all expired notes. Failures go to `left` and do not hold up other notes. */
  async #resolveDue(left: (thrown: unknown) => void): Promise<void> {
    const { records, leaseMs } = this.#options;
    const { signal } = this.#ending;
    if ((await records.read(dueIntents, { limit: 1 })) === 0) return;
    for (;;) {
      const taken = await records.write(takeIntents, { limit: AT_ONCE, leaseMs });
      let unanswered = 0;
      for (const intent of taken) {
        if (signal.aborted) return;
        try {
          const reason = await this.#resolve(intent);
          if (reason !== undefined) left(reason);
        } catch (error) {
          left(error);
          unanswered++;
        }
      }
      // If none of these could be resolved, the next ones cannot either; they have their turn first next
      // time.
      const isAway = unanswered > 0 && unanswered === taken.length;
      if (isAway || taken.length < AT_ONCE || signal.aborted) break;
    }
  }

  /** Returns why part of the note is left; rejects if all of it is. */
  async #resolve({ id, documents = [], query, since }: Intent): Promise<Error | undefined> {
    const { records, cluster, catalog, leaseMs, giveUpMs, now = Date.now, report } = this.#options;
    if (query !== undefined && (await isRunning(cluster, query))) {
      // Check a named task again soon, not after a whole lease.
      if (query.task !== undefined) await noteRunningQuery(records, query, [id]);
      return undefined;
    }
    const look = async (): Promise<CurrentDocuments> =>
      await readCurrentDocuments(
        cluster,
        documents.length === 0 ? undefined : await catalog.engine(true),
        documents,
      );
    const { changes: found, unclear, later: waiting, laterIn, why, refused } = await look();
    if (refused !== undefined) report(new Error(refused));
    // Whoever reads this event by its id now has already missed events that have expired.
    const isOver = waiting.length > 0 && since !== undefined && now() - since > giveUpMs;
    const later = isOver ? [] : waiting;
    if (isOver)
      report(
        new Error(
          `for a write begun at ${new Date(since).toISOString()} only a change of its index is published: ${why}`,
        ),
      );
    let changes = found;
    const deleted = changes.filter(({ kind }) => kind === 'delete');
    if (deleted.length > 0) {
      // Deletions carry no sequence number to be ordered by. Read again, so a document that was recreated
      // meanwhile is published after its deletion.
      await records.write(emitDocumentEvents, { changes });
      const placed = ({ index, id }: DocumentChange): string => JSON.stringify([index, id]);
      const places = new Set(deleted.map(placed));
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
    // Documents to read again get a note of their own, so that the others are published once. Notes of older
    // versions have no `since`.
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

/**
 * True while the query runs. For a query without a task name: while any query that changes documents runs.
 */
async function isRunning(cluster: PeerCluster, { task }: IntendedQuery): Promise<boolean> {
  const path =
    task === undefined ? '/_tasks?actions=*byquery,*reindex' : `/_tasks/${encodeURIComponent(task)}`;
  const answer = await cluster.request({ method: 'GET', path, repeatable: true });
  // The task is unknown: it has finished.
  if (answer.status === 404) return false;
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const reply = parseAnswer(answer.body);
  if (!isObject(reply)) return false;
  if (task !== undefined) return reply['completed'] === false;
  const { nodes } = reply;
  return (
    isObject(nodes) &&
    Object.values(nodes).some((node) => isObject(node) && Object.keys(Object(node['tasks'])).length > 0)
  );
}
