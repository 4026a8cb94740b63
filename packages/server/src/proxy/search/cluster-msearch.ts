// How are many searches asked of the cluster at once? In one request where the caller may see all and asks for nothing of
// Octavo's own; else one by one, each as if it had come alone.

import { stringifyJson } from '@octavo/engine';
import { asEngineError, errorBody } from '../../errors/body.ts';
import { refuseInvalid } from '../../errors/validation.ts';
import { QueryParams } from '../../wire/router/query-params.ts';
import { requireBody } from '../../wire/router/request-body.ts';
import type { Call, Reply } from '../../wire/router/route.ts';
import { RawJson, type ReplyObject } from '../../json/reply-value.ts';
import { type MsearchItem, readMsearchItems } from '../../wire/search/msearch.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { rawMembers, wholeOf } from '../client/raw-json.ts';
import { forward, type Forwarded } from '../forward.ts';
import { search } from './cluster-search.ts';

/** Members that are not the cluster's, or mean something else there. */
const OWN = ['"page"', '"tokens"', '_token"', '"as_of"', '"pit"', '"from"'];
/** Searches of one request that run at once. */
const AT_ONCE = 4;

/** `_msearch`. */
export async function msearch(asked: Forwarded): Promise<Reply> {
  const started = performance.now();
  const { call, services } = asked;
  asked.caller.require('read', 'indices:data/read/search', call.path['index']);
  const bytes = Buffer.from(call.body.buffer, call.body.byteOffset, call.body.byteLength);
  if (asked.caller.seesAll && !OWN.some((member) => bytes.includes(member)))
    return await forward(asked, { repeatable: true });
  requireBody(call, 'request body or source parameter is required');
  const items = readMsearchItems(call, services.limits);
  refuseInvalid(items.length === 0 ? ['no requests added'] : []);
  const responses: ReplyObject[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE);
    responses.push(...(await Promise.all(some.map((item) => answer(item, asked)))));
  }
  return { body: { took: Math.round(performance.now() - started), responses } };
}

async function answer(item: MsearchItem, asked: Forwarded): Promise<ReplyObject> {
  const { call } = asked;
  const body = Buffer.from(stringifyJson(item.body), 'utf8');
  const single: Call = {
    ...{ method: 'POST', uri: call.uri, queryString: item.query, headers: call.headers },
    path: item.index === undefined ? {} : { index: item.index },
    params: new QueryParams(item.query),
    body,
    hasBody: true,
    json: () => item.body,
    object: () => item.body,
    signal: call.signal,
    isGone: call.isGone,
  };
  try {
    const route = item.index === undefined ? '/_search' : '/{index}/_search';
    const reply = await search({ ...asked, call: single, route });
    return { ...opened(reply), status: reply.status ?? 200 };
  } catch (thrown) {
    if (thrown instanceof ClusterAnswered) {
      const { answer: failed } = thrown;
      return { ...rawMembers(failed.body, wholeOf(failed.body)), status: failed.status };
    }
    return errorBody(asEngineError(thrown));
  }
}

function opened({ body }: Reply): ReplyObject {
  if (body instanceof RawJson) return rawMembers(body.bytes, wholeOf(body.bytes));
  return body as ReplyObject;
}
