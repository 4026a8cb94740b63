// How are single documents read and written by a caller with a document filter? By the endpoints of the embedded store, over
// the documents that the request is about: what they hide and refuse is hidden and refused here.

import type { Engine, WriteOp } from '@octavo/engine';
import { guardEngine } from '../../access/guard.ts';
import { dateMathName } from '../../patterns/date-name.ts';
import { resolveOne } from '../../wire/resolve/resolve.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Reply, Route } from '../../wire/router/route.ts';
import type { DocumentNews } from '../change-events/change-events.ts';
import { namedOps } from '../change-events/write-intents.ts';
import { changeOf } from '../change-events/written-documents.ts';
import { writeIndex } from '../request/cluster-caller.ts';
import type { Forwarded } from '../request/forward.ts';
import { heldDocuments, type Telling, type Wanted } from './fetched-documents.ts';

/** A read of documents that the path or the body names. */
export async function filteredRead(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call, services, cluster } = asked;
  const catalog = await asked.catalog.engine();
  const held = heldDocuments(cluster, catalog, call.params.boolean('realtime') ?? true);
  const engine = guardEngine(held, services.principal);
  await held.fetch(wantedOf(asked, engine));
  return await handle(call, { ...services, engine });
}

/** Writes of documents, each held against the filter. */
export async function filteredWrite(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call, services, cluster, news } = asked;
  await news.requireRoom();
  // Fields that were mapped a moment ago decide as well.
  const catalog = await asked.catalog.engine(true);
  const held = heldDocuments(cluster, catalog, true, tellingTo(news));
  const guarded = guardEngine(held, services.principal);
  const engine: Engine = {
    ...held,
    indices: guarded.indices,
    settings: guarded.settings,
    // Whether a document lies on another shard is for the cluster to say.
    get: () => undefined,
    async write(ops) {
      await held.fetch(
        ops.flatMap(({ index, id, routing }: WriteOp): Wanted[] => {
          const name = writeIndex(catalog, dateMathName(index));
          return id === undefined || name === undefined ? [] : [{ index: name, id, routing }];
        }),
      );
      return await guarded.write(ops);
    },
  };
  return await handle(call, { ...services, engine });
}

/** Writes that are told; while events are followed with an id for each document, and noted before. */
function tellingTo(news: DocumentNews): Telling {
  return async (ops, send) => {
    const named = (await news.areFollowed()) ? namedOps(ops) : { request: ops, documents: [] };
    return await news.write(
      { documents: named.documents },
      () => send(named.request),
      (results) => ({
        changes: results.flatMap((result) => changeOf(result) ?? []),
        isAll: results.every(({ error }) => error === undefined || error.status < 500),
      }),
    );
  };
}

/** The documents that a read names, as far as their indices are there; the endpoint says what is wrong with others. */
function wantedOf({ call }: Forwarded, engine: Engine): Wanted[] {
  const { index, id } = call.path;
  const routing = call.params.string('routing');
  const of = (name: unknown, each: unknown, by: unknown): Wanted[] => {
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
