// How are several documents fetched from the cluster? In one request; the index of each is resolved first for a caller
// that may not see all, and those that it may not touch fail alone.

import { type EngineError, type JsonObject, type JsonValue, stringifyJson } from '@octavo/engine';
import { asEngineError, errorBody } from '../../errors/body.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Reply, ReplyValue, Route } from '../../wire/router/route.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { elementsAt, membersAt, rawAt, wholeOf } from '../client/raw-json.ts';
import { type Forwarded, forward, requestOf } from '../request/forward.ts';
import { filteredRead } from './filtered-documents.ts';

/** `_mget`. */
export async function mget(asked: Forwarded, handle: Route['handle']): Promise<Reply> {
  const { call } = asked;
  asked.caller.require('read', 'indices:data/read/get', call.path['index']);
  if (asked.caller.filter !== undefined) return await filteredRead(asked, handle);
  if (asked.caller.seesAll) return await forward(asked, { repeatable: true });
  const { docs, ids } = call.object();
  const wanted = (docs ?? ids) as JsonValue;
  // What is not read here has the cluster's own words for it, and no index to touch.
  if (!Array.isArray(wanted)) return await forward({ ...asked, route: '/_mget' }, { repeatable: true });
  const out: ReplyValue[] = [];
  const passed: JsonObject[] = [];
  const places: number[] = [];
  for (const [i, each] of wanted.entries()) {
    const doc: JsonObject = isObject(each) ? each : { _id: each };
    const name = String(doc['_index'] ?? call.path['index'] ?? '');
    try {
      passed.push({ ...doc, _index: await asked.caller.one(name) });
      places.push(i);
    } catch (thrown) {
      out[i] = { _index: name, _id: doc['_id'], error: errorBody(refusalOf(thrown))['error'] };
    }
  }
  if (passed.length > 0) {
    for (const [i, found] of (await fetched(asked, passed)).entries()) out[places[i]!] = found;
  }
  return { body: { docs: out } };
}

function refusalOf(thrown: unknown): EngineError {
  if (thrown instanceof ClusterAnswered) throw thrown;
  return asEngineError(thrown);
}

async function fetched(asked: Forwarded, docs: readonly JsonObject[]): Promise<ReplyValue[]> {
  const body = Buffer.from(stringifyJson({ docs: [...docs] }), 'utf8');
  const answer = await asked.cluster.ask(
    requestOf({ ...asked, route: '/_mget' }, { body, repeatable: true }),
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const list = membersAt(answer.body, wholeOf(answer.body)).get('docs');
  return list === undefined ? [] : elementsAt(answer.body, list).map((range) => rawAt(answer.body, range));
}
