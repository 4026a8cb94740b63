// What may a search ask for that must not see everything? Only what is known not to look past its indices and its
// filter: queries and members that the embedded engine understands, and no lookups in documents elsewhere.

import { type JsonObject, type JsonValue, parseQuery } from '@octavo/engine';
import { queryParam } from '../../wire/resolve/target.ts';
import { isObject } from '../../wire/router/json-body.ts';
import type { Params } from '../../wire/router/route.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { ClusterCaller } from './cluster-caller.ts';

/** Parts of queries and aggregations that read other documents, or hide what they do. */
const LOOKS_ELSEWHERE: ReadonlySet<string> = new Set([
  'indexed_shape',
  'lookup',
  'more_like_this',
  'percolate',
  'template',
  'wrapper',
]);

/** Members of a search body that only count and group what the query has found, for callers without a document filter. */
const GROUPING: ReadonlySet<string> = new Set([
  ...['aggs', 'aggregations', 'highlight', 'rescore', 'profile', 'explain'],
]);

/** Members of a search body that stay within what its query and filter find. */
const WITHIN: ReadonlySet<string> = new Set([
  ...[
    'query',
    'post_filter',
    'min_score',
    'from',
    'size',
    'sort',
    'search_after',
    'collapse',
    'slice',
    'pit',
  ],
  ...['_source', 'fields', 'docvalue_fields', 'stored_fields', 'version', 'seq_no_primary_term'],
  ...['track_total_hits', 'track_scores', 'timeout', 'terminate_after', 'indices_boost', 'stats'],
  ...['page', 'tokens', 'next_token', 'prev_token', 'as_of', 'include_named_queries_score'],
]);

/** Parameters that run what an administrator has stored. */
const STORED = ['search_pipeline', 'pipeline', 'suggest_field', 'suggest_text'];

/** Throws where a caller that may not see everything asks for what cannot be kept within its bounds. */
export function refuseBeyond(caller: ClusterCaller, body: JsonObject, params: Params): void {
  if (caller.seesAll) return;
  for (const name of Object.keys(body)) {
    if (WITHIN.has(name) || (caller.filter === undefined && GROUPING.has(name))) continue;
    throw notOnCluster(`[${name}] under this key`);
  }
  const stored = STORED.find((name) => params.has(name));
  if (stored !== undefined) throw notOnCluster(`[${stored}] under this key`);
  // An explanation counts the documents that words are in, hidden ones too.
  if (caller.filter !== undefined && params.has('explain')) throw notOnCluster('[explain] under this key');
  for (const name of ['query', 'post_filter']) {
    const query = body[name];
    if (isObject(query)) parseQuery(query);
  }
  refuseLookups(body, 0);
}

/** Throws where a write goes through a pipeline, which can send it to another index. */
export function refusePipeline(caller: ClusterCaller, named: boolean): void {
  if (named && !caller.seesAll) throw notOnCluster('[pipeline] under this key');
}

/** The last part of the name of a setting that sends all writes, or all searches, of an index through a pipeline. */
const PIPELINE_SETTINGS: ReadonlySet<string> = new Set(['default_pipeline', 'final_pipeline']);

/** Throws where settings name such a pipeline: it is an administrator's, and may lead to any other index. */
export function refusePipelineSettings(caller: ClusterCaller, settings: JsonValue | undefined): void {
  if (caller.seesAll || !isObject(settings)) return;
  for (const [key, value] of Object.entries(settings)) {
    const name = key.split('.').findLast((part) => part !== '') ?? '';
    if (PIPELINE_SETTINGS.has(name)) throw notOnCluster(`the setting [${key}] under this key`);
    refusePipelineSettings(caller, value);
  }
}

function refuseLookups(value: JsonValue | undefined, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value as readonly JsonValue[]) refuseLookups(each, depth + 1);
    return;
  }
  for (const [key, each] of Object.entries(value as JsonObject)) {
    if (LOOKS_ELSEWHERE.has(key) && typeof each === 'object') throw notOnCluster(`[${key}] under this key`);
    if (
      key === 'terms' &&
      isObject(each) &&
      Object.values(each).some((terms) => isObject(terms) && 'id' in terms)
    )
      throw notOnCluster('[terms] of another document under this key');
    refuseLookups(each, depth + 1);
  }
}

/** The query of parameters and body with a narrowing around it; undefined where there is none of both. */
export function narrowedQuery(
  body: JsonObject,
  params: Params,
  narrowing: JsonObject | undefined,
): JsonObject | undefined {
  const query = queryParam(params) ?? (body['query'] as JsonObject | undefined);
  if (narrowing === undefined) return query;
  // The query alone makes the scores: a filter adds nothing to them.
  return { bool: { must: [query ?? { match_all: {} }], filter: [narrowing] } };
}
