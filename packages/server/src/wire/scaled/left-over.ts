// What became of writes whose server did not come to tell of them? Their notes are found by whoever looks first; the
// documents are looked at, and told as they are now.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@octavo/engine';
import {
  type DocumentChange,
  dueIntents,
  type IntendedDocument,
  type IntendedQuery,
  type Intent,
  type Records,
  takeIntents,
  tellDocuments,
} from '@octavo/records';
import { isObject } from '../json-body.ts';
import type { ClusterCatalog } from './catalog.ts';
import { type Cluster, ClusterAnswered } from './cluster.ts';
import { readAnswer } from './genuine.ts';
import { handOver } from './intents.ts';

/** Between two looks, at most. */
const LOOK_MS = 5_000;
/** Notes that are taken at once. */
const AT_ONCE = 8;
/** Documents of one request. */
const DOCUMENTS = 500;

/** What it stands on. */
export interface LeftOverOptions {
  readonly records: Pick<Records, 'read' | 'write'>;
  readonly cluster: Cluster;
  readonly catalog: ClusterCatalog;
  /** For so long a note belongs to whoever has made or taken it. */
  readonly leaseMs: number;
  /** Hears what keeps it from looking, once until it can look again. */
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
      try {
        await this.#look();
        isFailing = false;
      } catch (error) {
        // Records that are away or have moved, a cluster that does not answer: the notes stay.
        if (!isFailing && !signal.aborted) failed(error);
        isFailing = true;
      }
    }
  }

  async #look(): Promise<void> {
    const { records, leaseMs } = this.#options;
    if ((await records.read(dueIntents, { limit: 1 })) === 0) return;
    for (;;) {
      const taken = await records.write(takeIntents, { limit: AT_ONCE, leaseMs });
      for (const intent of taken) await this.#end(intent);
      if (taken.length < AT_ONCE || this.#ending.signal.aborted) return;
    }
  }

  async #end({ id, documents = [], query }: Intent): Promise<void> {
    const { records, cluster, catalog } = this.#options;
    if (query !== undefined && (await isUnderWay(cluster, query))) {
      // Who has its name is told when it is over, and not a lease later.
      if (query.task !== undefined) await handOver(records, query, [id]);
      return;
    }
    const look = async (): Promise<DocumentChange[]> =>
      documents.length === 0 ? [] : await changesNow(cluster, await catalog.engine(true), documents);
    let changes = await look();
    const gone = changes.filter(({ kind }) => kind === 'delete');
    if (gone.length > 0) {
      // They have no numbers to be ordered by: what has come back since they were looked at is told behind them.
      await records.write(tellDocuments, { changes });
      const placed = ({ index, id }: DocumentChange): string => JSON.stringify([index, id]);
      const places = new Set(gone.map(placed));
      changes = (await look()).filter((change) => change.kind === 'index' && places.has(placed(change)));
    }
    const queries = query?.indices.map((index) => ({ index, by: query.by })) ?? [];
    await records.write(tellDocuments, { changes, queries, ended: [id] });
  }
}

/** A document where it may be. */
interface Place {
  readonly intended: IntendedDocument;
  readonly index: string;
  readonly routing: string | undefined;
}

/**
 * What there is to tell of documents that may have been written: each as it is now. One that is not there was deleted, unless
 * it should have come to be: whoever has deleted it since then has told of it.
 */
async function changesNow(
  cluster: Cluster,
  catalog: Engine,
  documents: readonly IntendedDocument[],
): Promise<DocumentChange[]> {
  const places = documents.flatMap((intended) => placesOf(catalog, intended));
  const changes: DocumentChange[] = [];
  const found = new Set<IntendedDocument>();
  const missing = new Map<IntendedDocument, string>();
  for (let at = 0; at < places.length; at += DOCUMENTS) {
    const some = places.slice(at, at + DOCUMENTS);
    for (const [i, there] of (await documentsAt(cluster, some)).entries()) {
      const { intended, index } = some[i]!;
      if (there === undefined) missing.set(intended, missing.get(intended) ?? index);
      else {
        found.add(intended);
        changes.push(there);
      }
    }
  }
  for (const [intended, index] of missing)
    if (!found.has(intended) && (intended.kind === 'delete' || intended.kind === 'update'))
      changes.push({ kind: 'delete', index, id: intended.id, seqNo: undefined, version: undefined });
  return changes;
}

/** An alias may have led to any index that it leads to now; the first is the one that it writes to. */
function placesOf({ indices }: Engine, intended: IntendedDocument): Place[] {
  const { index: name, routing } = intended;
  if (indices.info(name) !== undefined) return [{ intended, index: name, routing }];
  const holders = indices.names().flatMap((each) => {
    const alias = indices.info(each)?.aliases[name];
    return alias === undefined ? [] : [{ index: each, alias }];
  });
  // What is neither may be a data stream, whose name is as good as that of an index here.
  if (holders.length === 0) return [{ intended, index: name, routing }];
  return holders
    .toSorted((a, b) => Number(b.alias.isWriteIndex === true) - Number(a.alias.isWriteIndex === true))
    .map(({ index, alias }) => ({ intended, index, routing: routing ?? alias.indexRouting }));
}

/** What is at some places now, realtime. Rejects where the cluster cannot tell. */
async function documentsAt(
  cluster: Cluster,
  places: readonly Place[],
): Promise<(DocumentChange | undefined)[]> {
  const docs = places.map(({ index, routing, intended }) => ({
    ...{ _index: index, _id: intended.id, _source: false },
    ...(routing === undefined ? {} : { routing }),
  }));
  const reply = await cluster.json({
    method: 'POST',
    path: '/_mget?realtime=true',
    body: Buffer.from(JSON.stringify({ docs }), 'utf8'),
    repeatable: true,
  });
  const list = reply['docs'];
  return places.map(({ index, intended: { id } }, i) => {
    const doc = Array.isArray(list) ? list[i] : undefined;
    if (!isObject(doc)) throw new Error('the cluster has left out a document that was asked for');
    const { error } = doc;
    if (isObject(error)) {
      if (error['type'] === 'index_not_found_exception') return undefined;
      throw new Error(`the cluster cannot tell of [${index}/${id}]: ${String(error['reason'])}`);
    }
    if (doc['found'] !== true) return undefined;
    return {
      ...{ kind: 'index', index: String(doc['_index']), id: String(doc['_id']) },
      ...{ seqNo: Number(doc['_seq_no']), version: Number(doc['_version']) },
    };
  });
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
