// The `_search_shards` endpoints: which shards a search of these indices would visit, and the filters of aliases.

import { isObject, type JsonObject, type JsonValue, parseSort } from '@octavo/engine';
import { double } from '../../json/number-text.ts';
import type { ReplyObject, ReplyValue } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS, resolveIndices, resolveOptions, SEARCH_OPTIONS } from '../resolve/resolve.ts';
import { shardsOf, WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { readSearchMember } from '../search/body/search-body.ts';
import { emptySpec } from '../search/body/search-spec.ts';
import { nodeEntry, shardEntries } from './cluster-state.ts';

/** The rows of this family. */
export const searchShardsRoutes: readonly Route[] = ['/_search_shards', '/{index}/_search_shards'].map(
  (path): Route => ({
    methods: ['GET', 'POST'],
    path,
    params: [...RESOLVE_PARAMS, ...WAIT_PARAMS, 'local', 'preference', 'routing'],
    handle: searchShards,
  }),
);

function searchShards(call: Call, services: Services): Reply {
  const { engine, nodeId } = services;
  refuseUnknown(call.object());
  const lenient = { ...SEARCH_OPTIONS, ignoreUnavailable: true };
  const resolved = resolveIndices(engine, call.path['index'], resolveOptions(call.params, lenient));
  const indices: ReplyObject = {};
  const shards: ReplyValue[] = [];
  for (const { info, filter, aliases } of resolved) {
    indices[info.name] = {
      ...(aliases.length === 0 ? {} : { aliases: [...aliases].sort() }),
      ...(filter === undefined ? {} : { filter: printedQuery(filter) }),
    };
    for (let shard = 0; shard < shardsOf(info); shard++)
      shards.push(shardEntries(info, shard, nodeId).filter(({ state }) => state === 'STARTED'));
  }
  return {
    body: { nodes: resolved.length === 0 ? {} : { [nodeId]: nodeEntry(services) }, indices, shards },
  };
}

/** The body may be a search, of which only its slice would matter. */
function refuseUnknown(body: JsonObject): void {
  const spec = emptySpec();
  for (const name of Object.keys(body)) readSearchMember(spec, body, name);
  parseSort(spec.sort);
}

/** A query as the peer prints it: with its defaults. Kinds that are not known here are printed as they were sent. */
function printedQuery(query: JsonValue): ReplyValue {
  if (!isObject(query)) return query;
  const [kind = ''] = Object.keys(query);
  const body = query[kind];
  const print = Object.hasOwn(PRINTERS, kind) ? PRINTERS[kind] : undefined;
  return print === undefined || !isObject(body) ? query : { [kind]: print(body) };
}

const BOOST = double(1);

const PRINTERS: Readonly<Record<string, (body: JsonObject) => ReplyObject>> = {
  match_all: () => ({ boost: BOOST }),
  exists: (body) => ({ ...body, boost: boostOf(body) }),
  terms: (body) => ({ ...body, boost: boostOf(body) }),
  term: (body) => {
    const out: ReplyObject = {};
    for (const [field, value] of Object.entries(body))
      out[field] = isObject(value) ? { ...value, boost: boostOf(value) } : { value, boost: BOOST };
    return out;
  },
  range: (body) => {
    const out: ReplyObject = {};
    for (const [field, value] of Object.entries(body)) {
      if (!isObject(value)) return body;
      const { gt, gte, lt, lte, from, to, boost, ...others } = value;
      out[field] = {
        from: gt ?? gte ?? from ?? null,
        to: lt ?? lte ?? to ?? null,
        include_lower: gt === undefined,
        include_upper: lt === undefined,
        ...others,
        boost: boostOf(boost === undefined ? {} : { boost }),
      };
    }
    return out;
  },
  bool: (body) => {
    const out: ReplyObject = {};
    for (const clause of ['must', 'filter', 'must_not', 'should']) {
      const list = body[clause];
      if (list !== undefined) out[clause] = (Array.isArray(list) ? list : [list]).map(printedQuery);
    }
    out['adjust_pure_negative'] = body['adjust_pure_negative'] ?? true;
    const least = body['minimum_should_match'];
    if (least !== undefined) out['minimum_should_match'] = String(least);
    out['boost'] = boostOf(body);
    return out;
  },
};

function boostOf({ boost }: JsonObject): ReplyValue {
  return boost === undefined ? BOOST : double(Number(boost));
}
