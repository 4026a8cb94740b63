// `_msearch` over a cluster: forwarded in one request if the caller sees everything and uses nothing that
// only Octavo has, else as single searches.

import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RawJson } from '../../json/reply-value.ts';
import { QueryParams } from '../../wire/router/query-params.ts';
import { requireBody } from '../../wire/router/request-body.ts';
import type { Call, Reply } from '../../wire/router/route.ts';
import { type MsearchItem, readMsearchItems } from '../../wire/search/msearch.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { rawMembers, wholeRange } from '../client/raw-json.ts';
import { forward, type ProxyRequest } from '../request/forward.ts';
import { searchOverCluster } from './cluster-search.ts';

/** Members that only Octavo knows, or that mean something else to the cluster. */
const NOT_FORWARDED = ['"page"', '"tokens"', '_token"', '"as_of"', '"pit"', '"from"'];
/** Searches of one request that run concurrently. */
const AT_ONCE = 4;

/** `_msearch`. */
export async function msearch(request: ProxyRequest): Promise<Reply> {
  const started = performance.now();
  const { call, services } = request;
  request.caller.require('read', 'indices:data/read/search', call.path['index']);
  const bytes = Buffer.from(call.body.buffer, call.body.byteOffset, call.body.byteLength);
  if (request.caller.seesAll && !NOT_FORWARDED.some((member) => bytes.includes(member)))
    return await forward(request, { repeatable: true });
  requireBody(call, 'request body or source parameter is required');
  const items = await readMsearchItems(call, services.limits);
  throwIfInvalid(items.length === 0 ? ['no requests added'] : []);
  // A line that is not JSON refuses the whole request.
  for (const { parse } of items) parse();
  const responses: ReplyObject[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE);
    responses.push(...(await Promise.all(some.map((item) => answerItem(item, request)))));
  }
  return { body: { took: Math.round(performance.now() - started), responses } };
}

async function answerItem(item: MsearchItem, request: ProxyRequest): Promise<ReplyObject> {
  const { call } = request;
  const single: Call = {
    ...{ method: 'POST', uri: call.uri, queryString: item.query, headers: call.headers },
    path: item.index === undefined ? {} : { index: item.index },
    params: new QueryParams(item.query),
    body: item.line,
    hasBody: true,
    json: item.parse,
    object: item.parse,
    signal: call.signal,
    hasHungUp: call.hasHungUp,
  };
  try {
    const route = item.index === undefined ? '/_search' : '/{index}/_search';
    const reply = await searchOverCluster({ ...request, call: single, route });
    return { ...membersOf(reply), status: reply.status ?? 200 };
  } catch (thrown) {
    if (thrown instanceof ClusterErrorAnswer) {
      const { answer: failed } = thrown;
      return { ...rawMembers(failed.body, wholeRange(failed.body)), status: failed.status };
    }
    return errorBody(asEngineError(thrown));
  }
}

function membersOf({ body }: Reply): ReplyObject {
  if (body instanceof RawJson) return rawMembers(body.bytes, wholeRange(body.bytes));
  return body as ReplyObject;
}
