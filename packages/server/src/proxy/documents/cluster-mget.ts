// `_mget` over a cluster, in one request. For a restricted caller the index of each document is resolved
// first; a document it may not read fails alone.

import { type EngineError, isObject, type JsonObject, type JsonValue, stringifyJson } from '@octavo/engine';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import type { ReplyValue } from '../../json/reply-value.ts';
import type { Reply, Route } from '../../wire/router/route.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { elementsAt, membersAt, rawJsonAt, wholeRange } from '../client/raw-json.ts';
import { clusterRequestOf, forward, type ProxyRequest } from '../request/forward.ts';
import { filteredRead } from './filtered-documents.ts';

export async function mget(request: ProxyRequest, handle: Route['handle']): Promise<Reply> {
  const { call } = request;
  request.caller.require('read', 'indices:data/read/get', call.path['index']);
  if (request.caller.filter !== undefined) return await filteredRead(request, handle);
  if (request.caller.seesAll) return await forward(request, { repeatable: true });
  const { docs, ids } = call.object();
  const wanted = (docs ?? ids) as JsonValue;
  // The cluster refuses such a body in its own words; it names no index.
  if (!Array.isArray(wanted)) return await forward({ ...request, route: '/_mget' }, { repeatable: true });
  const out: ReplyValue[] = [];
  const passed: JsonObject[] = [];
  const places: number[] = [];
  for (const [i, each] of wanted.entries()) {
    const doc: JsonObject = isObject(each) ? each : { _id: each };
    const name = String(doc['_index'] ?? call.path['index'] ?? '');
    try {
      passed.push({ ...doc, _index: await request.caller.resolveIndex(name) });
      places.push(i);
    } catch (thrown) {
      out[i] = { _index: name, _id: doc['_id'], error: errorBody(refusalOf(thrown))['error'] };
    }
  }
  if (passed.length > 0) {
    for (const [i, found] of (await fetchDocuments(request, passed)).entries()) out[places[i]!] = found;
  }
  return { body: { docs: out } };
}

function refusalOf(thrown: unknown): EngineError {
  if (thrown instanceof ClusterErrorAnswer) throw thrown;
  return asEngineError(thrown);
}

async function fetchDocuments(request: ProxyRequest, docs: readonly JsonObject[]): Promise<ReplyValue[]> {
  const body = Buffer.from(stringifyJson({ docs: [...docs] }), 'utf8');
  const answer = await request.cluster.request(
    clusterRequestOf({ ...request, route: '/_mget' }, { body, repeatable: true }),
  );
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const list = membersAt(answer.body, wholeRange(answer.body)).get('docs');
  return list === undefined
    ? []
    : elementsAt(answer.body, list).map((range) => rawJsonAt(answer.body, range));
}
