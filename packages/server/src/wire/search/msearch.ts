// The `_msearch` endpoints: NDJSON of headers and bodies in; a reply or an error for each search out, in
// their order.

import { EngineError, illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { withoutByteOrderMark } from '../../http/body-reader.ts';
import { parseObjectBody } from '../../json/json-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import { QueryParams, refusePreference } from '../router/query-params.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { notSupported } from './body/search-body.ts';
import { SEARCH_PARAMS } from './body/search-params.ts';
import { answerSearch } from './search.ts';

const PARAMS = [
  'ccs_minimize_roundtrips',
  'max_concurrent_searches',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'rest_total_hits_as_int',
  'search_type',
  'typed_keys',
];

/** The rows of this family. */
export const msearchRoutes: readonly Route[] = [
  ...['/_msearch', '/{index}/_msearch', '/{index}/{type}/_msearch'].map(
    (path): Route => ({ methods: ['GET', 'POST', 'QUERY'], path, params: PARAMS, handle: msearch }),
  ),
  ...[
    '/_msearch/template',
    '/{index}/_msearch/template',
    '/_search/template',
    '/{index}/_search/template',
  ].map(
    (path): Route => ({
      methods: ['GET', 'POST'],
      path,
      params: [...SEARCH_PARAMS, ...PARAMS],
      handle: () => {
        throw notSupported('search templates');
      },
    }),
  ),
];

/** One search of the body. */
export interface MsearchItem {
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly query: string;
  readonly body: JsonObject;
  /** The line of the body. */
  readonly line: Uint8Array;
}

async function msearch(call: Call, services: Services): Promise<Reply> {
  const started = performance.now();
  requireBody(call, 'request body or source parameter is required');
  const atOnce = call.params.integer('max_concurrent_searches');
  if (atOnce !== undefined && atOnce < 1)
    throw illegalArgument('maxConcurrentSearchRequests must be positive');
  const items = readMsearchItems(call, services.limits);
  throwIfInvalid(items.length === 0 ? ['no requests added'] : []);
  const responses: ReplyObject[] = [];
  for (const item of items) responses.push(await answer(item, call, services));
  return { body: { took: Math.round(performance.now() - started), responses } };
}

async function answer(item: MsearchItem, call: Call, services: Services): Promise<ReplyObject> {
  const path: Record<string, string> = {};
  if (item.index !== undefined) path['index'] = item.index;
  if (item.type !== undefined) path['type'] = item.type;
  const params = new QueryParams(item.query);
  try {
    refusePreference(params.string('preference'));
    const single = {
      path,
      params,
      get isGone() {
        return call.isGone;
      },
      isItem: true as const,
      object: () => item.body,
      body: item.line,
      queryString: item.query,
    };
    const reply = await answerSearch(single, services);
    return { ...(reply.body as ReplyObject), status: reply.status ?? 200 };
  } catch (thrown) {
    const error = asEngineError(thrown);
    // A malformed search refuses the whole request, as with the peer.
    if (error.type === 'parsing_exception') throw thrown;
    return errorBody(error);
  }
}

/** The searches of a body, in their order. */
export function readMsearchItems(
  call: Call,
  { msearchItems: limit, nesting }: Pick<Limits, 'msearchItems' | 'nesting'>,
): MsearchItem[] {
  const { body } = call;
  if (body[body.length - 1] !== 10) {
    throw illegalArgument('The msearch request must be terminated by a newline [\\n]');
  }
  const lines: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(10, at);
    lines.push(withoutByteOrderMark(body.subarray(at, end)));
    at = end + 1;
    if (lines.length > 2 * limit) throw illegalArgument(`more than [${limit}] searches in one request`);
  }
  // An empty header stands for the defaults.
  const out: MsearchItem[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [header, line] = [lines[i]!, lines[i + 1]!];
    out.push(readItem(parseObjectBody(header, nesting), parseObjectBody(line, nesting), line, call));
  }
  return out;
}

/** Members of a header that become parameters of its search. */
const HEADER_PARAMS: ReadonlySet<string> = new Set([
  'search_type',
  'preference',
  'routing',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'ignore_throttled',
  'request_cache',
  'allow_partial_search_results',
  'ccs_minimize_roundtrips',
]);

function readItem(header: JsonObject, body: JsonObject, line: Uint8Array, call: Call): MsearchItem {
  let { index, type } = call.path;
  const query = new URLSearchParams();
  for (const name of ['rest_total_hits_as_int', 'search_type', 'typed_keys']) {
    const value = call.params.string(name);
    if (value !== undefined) query.set(name, value);
  }
  for (const [key, value] of Object.entries(header)) {
    if (key === 'index' || key === 'indices') index = listText(value);
    else if (key === 'type' || key === 'types') type = listText(value);
    else if (HEADER_PARAMS.has(key)) query.set(key, listText(value));
    else throw illegalArgument(`key [${key}] is not supported in the metadata section`);
  }
  return { index, type, query: query.toString(), body, line };
}

function listText(value: JsonValue): string {
  const list = Array.isArray(value) ? value : [value];
  for (const each of list) {
    if (typeof each === 'object' && each !== null) {
      throw new EngineError(
        'illegal_argument_exception',
        'a header of _msearch holds strings and lists of strings',
      );
    }
  }
  return list.join(',');
}
