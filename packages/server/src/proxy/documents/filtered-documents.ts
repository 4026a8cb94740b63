// Single documents for a caller with a document filter. The endpoints of the embedded store run over the
// fetched documents, so they hide and refuse exactly what they hide and refuse there.

import { type Engine, isObject, type WriteOp } from '@octavo/engine';
import { guardEngine } from '../../access/guard/guarded-engine.ts';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { resolveOne } from '../../wire/resolve/resolve.ts';
import { callEndpoint, type Reply, type Route } from '../../wire/router/route.ts';
import type { ChangeEvents } from '../change-events/change-events.ts';
import { assignOpIds } from '../change-events/write-intents.ts';
import { changeOf } from '../change-events/written-documents.ts';
import { findWriteIndex } from '../request/cluster-caller.ts';
import type { ProxyRequest } from '../request/forward.ts';
import { createFetchedDocuments, type DocumentAddress, type SendWrites } from './fetched-documents.ts';

/** Reads the documents that the path or the body names. */
export async function filteredRead(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call, services, cluster } = request;
  const catalog = await request.catalog.engine();
  const documents = createFetchedDocuments(cluster, catalog, call.params.boolean('realtime') ?? true);
  const engine = guardEngine(documents, services.principal);
  await documents.fetch(requestedDocuments(request, engine));
  return await callEndpoint(handle, call, { ...services, engine });
}

/** Writes documents, each checked against the filter. */
export async function filteredWrite(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call, services, cluster, changeEvents } = request;
  await changeEvents.requireCapacity();
  // A field mapped a moment ago can decide as well.
  const catalog = await request.catalog.engine(true);
  const documents = createFetchedDocuments(cluster, catalog, true, sendWritesWithEvents(changeEvents));
  const guarded = guardEngine(documents, services.principal);
  const engine: Engine = {
    ...documents,
    indices: guarded.indices,
    settings: guarded.settings,
    // Only the cluster knows whether a document is on another shard.
    get: () => undefined,
    async write(ops) {
      await documents.fetch(
        ops.flatMap(({ index, id, routing }: WriteOp): DocumentAddress[] => {
          const name = findWriteIndex(catalog, resolveDateMathName(index));
          return id === undefined || name === undefined ? [] : [{ index: name, id, routing }];
        }),
      );
      return await guarded.write(ops);
    },
  };
  return await callEndpoint(handle, call, { ...services, engine });
}

/**
 * Sends writes and publishes their changes. While events are followed, each document gets an id and is noted
 * before.
 */
function sendWritesWithEvents(changeEvents: ChangeEvents): SendWrites {
  return async (ops, send) => {
    const named = (await changeEvents.hasFollowers()) ? assignOpIds(ops) : { write: ops, documents: [] };
    return await changeEvents.write(
      { documents: named.documents },
      () => send(named.write),
      (results) => ({
        changes: results.flatMap((result) => changeOf(result) ?? []),
        isComplete: results.every(({ error }) => error === undefined || error.status < 500),
      }),
    );
  };
}

/** The documents that a read names, if their indices exist; the endpoint reports errors of the others. */
function requestedDocuments({ call }: ProxyRequest, engine: Engine): DocumentAddress[] {
  const { index, id } = call.path;
  const routing = call.params.string('routing');
  const of = (name: unknown, each: unknown, by: unknown): DocumentAddress[] => {
    try {
      const concrete = resolveOne(engine, String(name)).name;
      return [{ index: concrete, id: String(each), routing: typeof by === 'string' ? by : routing }];
    } catch {
      return [];
    }
  };
  if (id !== undefined) return of(index, id, undefined);
  const { docs, ids } = call.object();
  const list = Array.isArray(docs) ? docs : Array.isArray(ids) ? ids : [];
  return list.flatMap((each) =>
    isObject(each) ? of(each['_index'] ?? index, each['_id'], each['routing']) : of(index, each, undefined),
  );
}
