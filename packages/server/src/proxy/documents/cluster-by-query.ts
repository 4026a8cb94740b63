// How is it told what a query has changed? Where events are followed, document by document, if this server can do what is
// asked for by a walk of its own; else the cluster does it, which says how many and not which, and that is told.

import { EngineError, type JsonObject, type JsonValue } from '@octavo/engine';
import type { IntendedQuery, QueryChange } from '@octavo/records';
import { resolveOptions } from '../../wire/resolve/resolve.ts';
import { targetOf } from '../../wire/resolve/target.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Reply } from '../../wire/router/route.ts';
import type { Told } from '../change-events/written-documents.ts';
import { readAnswer } from '../client/node-answer.ts';
import type { NodeAnswer } from '../client/send.ts';
import { writeIndex } from '../request/cluster-caller.ts';
import { type Forwarded, replyOf, requestOf } from '../request/forward.ts';
import { planOf } from './query-plan.ts';
import { walkQuery } from './query-walk.ts';

/** `_delete_by_query`, `_update_by_query`, `_reindex`. */
export async function changeByQuery(asked: Forwarded, by: QueryChange['by']): Promise<Reply> {
  const { call, news, cluster } = asked;
  const isFollowed = await news.areFollowed();
  const plan = isFollowed ? planOf(call, by) : undefined;
  const walked = plan && (await walkQuery(asked, plan));
  if (walked !== undefined) return walked;
  const query: IntendedQuery = { by, indices: await indicesOf(asked, by) };
  const answer = await news.write(
    isFollowed ? { query } : {},
    () => cluster.ask(requestOf(asked, { repeatable: false })),
    (answer) => toldOf(answer, query),
  );
  return replyOf(answer, call);
}

/** What there is to tell of an answer: something, nothing, or that it is under way. */
function toldOf({ status, body }: NodeAnswer, query: IntendedQuery): Told {
  let reply: JsonValue = null;
  try {
    reply = readAnswer(body);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  const said: JsonObject = isObject(reply) ? reply : {};
  const { task } = said;
  if (typeof task === 'string') return { changes: [], isAll: false, underWay: { ...query, task } };
  // A conflict ends it, and does not undo what was done before.
  const done = ['created', 'updated', 'deleted'].some((name) => Number(said[name] ?? 0) > 0);
  return {
    changes: [],
    queries: done ? query.indices.map((index) => ({ index, by: query.by })) : [],
    isAll: status < 500,
  };
}

/** The indices that may be changed; none where the name leads nowhere, which the cluster refuses. */
async function indicesOf({ call, catalog }: Forwarded, by: QueryChange['by']): Promise<readonly string[]> {
  try {
    const engine = await catalog.engine(true);
    if (by !== 'reindex') {
      const options = resolveOptions(call.params);
      return targetOf(engine, call.path['index'], undefined, options).indices;
    }
    const { dest } = call.object();
    const name = isObject(dest) ? dest['index'] : undefined;
    return typeof name === 'string' ? [writeIndex(engine, name) ?? name] : [];
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return [];
    throw error;
  }
}
