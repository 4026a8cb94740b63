// `_delete_by_query`, `_update_by_query` and `_reindex` over a cluster. While events are followed, this
// server walks the documents itself if it can, and each change is published. Otherwise the cluster performs
// the query, and the change of its indices is published.

import { EngineError, isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import type { IntendedQuery, QueryChange } from '@octavo/records';
import { resolveOptions } from '../../wire/resolve/resolve.ts';
import { targetOf } from '../../wire/resolve/target.ts';
import type { Reply } from '../../wire/router/route.ts';
import type { WrittenChanges } from '../change-events/written-documents.ts';
import { parseAnswer } from '../client/node-answer.ts';
import type { NodeAnswer } from '../client/send.ts';
import { findWriteIndex } from '../request/cluster-caller.ts';
import { clusterRequestOf, type ProxyRequest, replyFrom } from '../request/forward.ts';
import { planByQuery } from './query-plan.ts';
import { walkQuery } from './query-walk.ts';

export async function changeByQuery(request: ProxyRequest, by: QueryChange['by']): Promise<Reply> {
  const { call, changeEvents, cluster } = request;
  const isFollowed = await changeEvents.hasFollowers();
  const plan = isFollowed ? planByQuery(call, by) : undefined;
  const walked = plan && (await walkQuery(request, plan));
  if (walked !== undefined) return walked;
  const query: IntendedQuery = { by, indices: await changedIndices(request, by) };
  const answer = await changeEvents.write(
    isFollowed ? { query } : {},
    () => cluster.request(clusterRequestOf(request, { repeatable: false })),
    (answer) => changesOf(answer, query),
  );
  return replyFrom(answer, call);
}

/** The changes an answer reports, or that the query is still running. */
function changesOf({ status, body }: NodeAnswer, query: IntendedQuery): WrittenChanges {
  let reply: JsonValue = null;
  try {
    reply = parseAnswer(body);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  const said: JsonObject = isObject(reply) ? reply : {};
  const { task } = said;
  if (typeof task === 'string') return { changes: [], isComplete: false, runningQuery: { ...query, task } };
  // A conflict ends the query and does not undo earlier changes.
  const done = ['created', 'updated', 'deleted'].some((name) => Number(said[name] ?? 0) > 0);
  return {
    changes: [],
    queries: done ? query.indices.map((index) => ({ index, by: query.by })) : [],
    isComplete: status < 500,
  };
}

/** The indices that may be changed; none for an unknown name, which the cluster refuses. */
async function changedIndices(
  { call, catalog }: ProxyRequest,
  by: QueryChange['by'],
): Promise<readonly string[]> {
  try {
    const engine = await catalog.engine(true);
    if (by !== 'reindex') {
      const options = resolveOptions(call.params);
      return targetOf(engine, call.path['index'], undefined, options).indices;
    }
    const { dest } = call.object();
    const name = isObject(dest) ? dest['index'] : undefined;
    return typeof name === 'string' ? [findWriteIndex(engine, name) ?? name] : [];
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return [];
    throw error;
  }
}
