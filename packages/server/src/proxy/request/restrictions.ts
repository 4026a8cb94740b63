// What a restricted caller may search for. Only queries and members that are known to stay within the
// caller's indices and filter pass; whatever reads other documents, and every pipeline, is refused.

import { isObject, type JsonObject, type JsonValue, parseQuery } from '@octavo/engine';
import { queryParam } from '../../wire/resolve/target.ts';
import type { Params } from '../../wire/router/route.ts';
import { TOKEN_NAMES } from '../../wire/search/body/search-spec.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { ClusterCaller } from './cluster-caller.ts';

/** Parts of queries and aggregations that read other documents, or hide their content. */
const READS_OTHER_DOCUMENTS: ReadonlySet<string> = new Set([
  'indexed_shape',
  'lookup',
  'more_like_this',
  'percolate',
  'template',
  'wrapper',
]);

/** Members that only count and group the hits, for callers without a document filter. */
const GROUPING: ReadonlySet<string> = new Set([
  ...['aggs', 'aggregations', 'highlight', 'rescore', 'profile', 'explain'],
]);

/** Members that stay within what the query and the filter find. */
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
  ...['page', 'tokens', ...TOKEN_NAMES, 'as_of', 'include_named_queries_score'],
]);

/** Parameters that run what an administrator has stored. */
const STORED = ['search_pipeline', 'pipeline', 'suggest_field', 'suggest_text'];

/** Throws if a restricted caller uses a member that could reveal more than it may see. */
export function requireRestrictable(caller: ClusterCaller, body: JsonObject, params: Params): void {
  if (caller.seesAll) return;
  for (const name of Object.keys(body)) {
    if (WITHIN.has(name) || (caller.filter === undefined && GROUPING.has(name))) continue;
    throw notOnCluster(`[${name}] under this key`);
  }
  const stored = STORED.find((name) => params.has(name));
  if (stored !== undefined) throw notOnCluster(`[${stored}] under this key`);
  // Explanations count the documents that contain a term, including hidden ones.
  if (caller.filter !== undefined && params.has('explain')) throw notOnCluster('[explain] under this key');
  for (const name of ['query', 'post_filter']) {
    const query = body[name];
    if (isObject(query)) parseQuery(query);
  }
  refuseLookups(body, 0);
}

/** Throws if a restricted caller names a pipeline: it could send the document to another index. */
export function requireNoPipeline(caller: ClusterCaller, named: boolean): void {
  if (named && !caller.seesAll) throw notOnCluster('[pipeline] under this key');
}

/** The last part of a setting's name that sends all writes or searches of an index through a pipeline. */
const PIPELINE_SETTINGS: ReadonlySet<string> = new Set(['default_pipeline', 'final_pipeline']);

/** Throws if a restricted caller sets such a pipeline: it could lead to any index. */
export function requireNoPipelineSettings(caller: ClusterCaller, settings: JsonValue | undefined): void {
  if (caller.seesAll || !isObject(settings)) return;
  for (const [key, value] of Object.entries(settings)) {
    const name = key.split('.').findLast((part) => part !== '') ?? '';
    if (PIPELINE_SETTINGS.has(name)) throw notOnCluster(`the setting [${key}] under this key`);
    requireNoPipelineSettings(caller, value);
  }
}

function refuseLookups(value: JsonValue | undefined, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value as readonly JsonValue[]) refuseLookups(each, depth + 1);
    return;
  }
  for (const [key, each] of Object.entries(value as JsonObject)) {
    if (READS_OTHER_DOCUMENTS.has(key) && typeof each === 'object')
      throw notOnCluster(`[${key}] under this key`);
    if (
      key === 'terms' &&
      isObject(each) &&
      Object.values(each).some((terms) => isObject(terms) && 'id' in terms)
    )
      throw notOnCluster('[terms] of another document under this key');
    refuseLookups(each, depth + 1);
  }
}

/** The query of parameters and body within a narrowing; undefined if there is neither. */
export function narrowQuery(
  body: JsonObject,
  params: Params,
  narrowing: JsonObject | undefined,
): JsonObject | undefined {
  const query = queryParam(params) ?? (body['query'] as JsonObject | undefined);
  if (narrowing === undefined) return query;
  // Only the query contributes to scores; a filter adds nothing.
  return { bool: { must: [query ?? { match_all: {} }], filter: [narrowing] } };
}
