// The `_msearch` endpoints: NDJSON of headers and bodies in; a reply or an error for each search out, in
// their order.

import { EngineError, illegalArgument, type JsonObject, type JsonValue, Turn } from '@octavo/engine';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { withoutByteOrderMark } from '../../http/body-reader.ts';
import { parseObjectBody } from '../../json/json-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import { chain, type MaybePromise, rescue } from '../../sync-first.ts';
import { printReply } from '../router/print-reply.ts';
import { QueryParams, refusePreference } from '../router/query-params.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { readSearch } from './body/search-request.ts';
import { usesTokens } from './page/search-tokens.ts';
import { answerSearch } from './search.ts';
import { findMalformation } from './search-errors.ts';

/** Parameters of all searches of a request. */
export const MSEARCH_PARAMS: readonly string[] = [
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
    (path): Route => ({
      methods: ['GET', 'POST', 'QUERY'],
      path,
      params: MSEARCH_PARAMS,
      handle: (call, services) => {
        requireBody(call, 'request body or source parameter is required');
        return answerMsearch(call, services);
      },
    }),
  ),
];

/** One search of the body. */
export interface MsearchItem {
  readonly index: string | undefined;
  readonly type: string | undefined;
  readonly query: string;
  /** Parses the line of the search, within the limits: the trees of all searches would take too much memory. */
  readonly parse: () => JsonObject;
  /** The line of the search. */
  readonly line: Uint8Array;
  /** True if a template has made it: then all of its mistakes are answers to it. */
  readonly isMade?: boolean;
}

/** Answers the searches of a body, each of them after `change`. */
export async function answerMsearch(
  call: Call,
  services: Services,
  change: (item: MsearchItem) => MsearchItem = (item) => item,
): Promise<Reply> {
  const started = performance.now();
  const atOnce = call.params.integer('max_concurrent_searches');
  if (atOnce !== undefined && atOnce < 1)
    throw illegalArgument('maxConcurrentSearchRequests must be positive');
  const read = await readMsearchItems(call, services.limits);
  throwIfInvalid(read.length === 0 ? ['no requests added'] : []);
  const items: MsearchItem[] = [];
  const turn = new Turn();
  for (const each of read) {
    const item = change(each);
    items.push(item);
    refuseMalformed(item, services);
    if (turn.isOver()) await turn.next();
  }
  return {
    list: {
      first: {},
      name: 'responses',
      count: items.length,
      part: (i) => answer(items[i]!, call, services),
      refused: (_, error) => printReply(errorBody(error)),
      last: () => ({ took: Math.round(performance.now() - started) }),
    },
  };
}

/** The errors of bodies that the peer cannot parse. */
const MALFORMED: ReadonlySet<string> = new Set(['parsing_exception', 'x_content_parse_exception']);

/** A malformed search refuses the whole request, as with the peer: before the first answer is sent. */
function refuseMalformed(item: MsearchItem, services: Services): void {
  const body = item.isMade === true ? undefined : item.parse();
  try {
    const spec = readSearch(body ?? item.parse(), new QueryParams(item.query), services);
    const malformation = findMalformation(spec);
    if (malformation !== undefined) throw malformation;
    // Only the thread that holds snapshots can answer these. It has to say so before an answer has begun.
    if (spec.pit !== undefined || spec.asOf !== undefined || usesTokens(spec)) services.engine.lease('');
  } catch (thrown) {
    // Other errors are the answers to their search.
    if (MALFORMED.has(asEngineError(thrown).type) && item.isMade !== true) throw thrown;
  }
}

/** The reply to a search, with its status. */
function answer(item: MsearchItem, call: Call, services: Services): MaybePromise<Uint8Array> {
  const path: Record<string, string> = {};
  if (item.index !== undefined) path['index'] = item.index;
  if (item.type !== undefined) path['type'] = item.type;
  const params = new QueryParams(item.query);
  const single = {
    path,
    params,
    get hasHungUp() {
      return call.hasHungUp;
    },
    object: item.parse,
    body: item.line,
    queryString: item.query,
  };
  return rescue(
    () => {
      refusePreference(params.string('preference'));
      return chain(answerSearch(single, services), ({ bytes, body, status = 200 }) =>
        bytes === undefined
          ? printReply({ ...(body as ReplyObject), status })
          : Buffer.concat([bytes.subarray(0, bytes.length - 1), Buffer.from(`,"status":${status}}`)]),
      );
    },
    (thrown) => printReply(errorBody(asEngineError(thrown))),
  );
}

/** The searches of a body, in their order. */
export async function readMsearchItems(call: Call, limits: Limits): Promise<MsearchItem[]> {
  const { body } = call;
  const { msearchItems: limit } = limits;
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
  const turn = new Turn();
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const line = lines[i + 1]!;
    const parse = (): JsonObject => parseObjectBody(line, limits);
    out.push({ ...readHeader(parseObjectBody(lines[i]!, limits), call), parse, line });
    if (turn.isOver()) await turn.next();
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

function readHeader(header: JsonObject, call: Call): Pick<MsearchItem, 'index' | 'type' | 'query'> {
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
  return { index, type, query: query.toString() };
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
