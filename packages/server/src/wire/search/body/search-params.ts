// Reads the parameters of a search. They have the same meaning as members of the body. As with the peer, they win over
// them, but lists of `sort` and `docvalue_fields` continue those of the body.

import { illegalArgument, type JsonValue, parseQuery } from '@octavo/engine';
import { RESOLVE_PARAMS } from '../../resolve/resolve.ts';
import { QUERY_PARAMS, queryParam } from '../../resolve/target.ts';
import type { Params } from '../../router/route.ts';
import { readSourceParams, SOURCE_PARAMS } from '../../source/source-filter.ts';
import { tokenMember } from './scalar-members.ts';
import { totalHitsCap } from './search-body.ts';
import { type SearchSpec, TOKEN_NAMES } from './search-spec.ts';

/** Parameters of all searches. */
export const SEARCH_PARAMS: readonly string[] = [
  ...QUERY_PARAMS,
  ...RESOLVE_PARAMS,
  ...SOURCE_PARAMS,
  'allow_partial_search_results',
  'as_of',
  'batched_reduce_size',
  'cancel_after_time_interval',
  'ccs_minimize_roundtrips',
  'docvalue_fields',
  'explain',
  'from',
  'include_named_queries_score',
  'max_concurrent_shard_requests',
  'page',
  'phase_took',
  'pre_filter_shard_size',
  'preference',
  'request_cache',
  'rest_total_hits_as_int',
  'routing',
  'scroll',
  'scroll_seq',
  'search_pipeline',
  'search_type',
  'seq_no_primary_term',
  'size',
  'sort',
  'stats',
  'stored_fields',
  'suggest_field',
  'suggest_mode',
  'suggest_size',
  'suggest_text',
  'terminate_after',
  'timeout',
  ...TOKEN_NAMES,
  'tokens',
  'track_scores',
  'track_total_hits',
  'typed_keys',
  'verbose_pipeline',
  'version',
];

/** Overwrites, or continues, members of a search by parameters. */
export function applyParams(spec: SearchSpec, params: Params): void {
  checkOnly(params);
  applySuggestParams(spec, params);
  const query = queryParam(params);
  // The body's own query is not used then, but its mistakes are told.
  if (query !== undefined && spec.query !== undefined) parseQuery(spec.query);
  spec.query = query ?? spec.query;
  spec.from = params.integer('from') ?? spec.from;
  spec.size = params.integer('size') ?? spec.size;
  const sort = params.list('sort');
  if (sort !== undefined) spec.sort = [...sortList(spec.sort), ...sortParam(sort)];
  spec.trackScores = params.boolean('track_scores') ?? spec.trackScores;
  spec.trackTotalHits = totalHitsParam(params) ?? spec.trackTotalHits;
  spec.terminateAfter = terminateParam(params) ?? spec.terminateAfter;
  spec.timeoutMs = params.millis('timeout') ?? spec.timeoutMs;
  spec.source = readSourceParams(params) ?? spec.source;
  spec.version = params.boolean('version') ?? spec.version;
  spec.seqNoPrimaryTerm = params.boolean('seq_no_primary_term') ?? spec.seqNoPrimaryTerm;
  spec.explain = params.boolean('explain') ?? spec.explain;
  spec.namedScores = params.boolean('include_named_queries_score') ?? spec.namedScores;
  spec.storedFields = params.list('stored_fields') ?? spec.storedFields;
  const docvalues = params.list('docvalue_fields') ?? [];
  spec.docvalueFields = [...spec.docvalueFields, ...docvalues.map((field) => ({ field, format: undefined }))];
  spec.page = params.integer('page') ?? spec.page;
  spec.tokens = params.boolean('tokens') ?? spec.tokens;
  for (const name of ['next_token', 'nextToken'])
    spec.nextToken = tokenMember(name, params.string(name)) ?? spec.nextToken;
  for (const name of ['prev_token', 'prevToken'])
    spec.prevToken = tokenMember(name, params.string(name)) ?? spec.prevToken;
  spec.asOf = params.integer('as_of') ?? spec.asOf;
  spec.typedKeys = params.boolean('typed_keys') ?? false;
  spec.ignoreUnavailable = params.boolean('ignore_unavailable') ?? false;
  totalAsInt(spec, params);
}

/** `rest_total_hits_as_int`: totals as plain numbers, which have to be exact. */
function totalAsInt(spec: SearchSpec, params: Params): void {
  spec.totalAsInt = params.boolean('rest_total_hits_as_int') ?? false;
  if (!spec.totalAsInt) return;
  if (typeof spec.trackTotalHits === 'number') {
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${spec.trackTotalHits}`,
    );
  }
}

function sortList(sort: JsonValue | undefined): JsonValue[] {
  return sort === undefined ? [] : Array.isArray(sort) ? sort : [sort];
}

/** `a:desc,b` → `[{a: 'desc'}, 'b']`. */
function sortParam(parts: readonly string[]): JsonValue[] {
  return parts.map((part) => {
    const colon = part.lastIndexOf(':');
    if (colon < 0) return part;
    const [field, direction] = [part.slice(0, colon), part.slice(colon + 1)];
    if (direction !== 'asc' && direction !== 'desc') {
      throw illegalArgument(`sort direction must be [asc] or [desc], found [${direction}] for [${field}]`);
    }
    return { [field]: { order: direction } };
  });
}

function totalHitsParam(params: Params): boolean | number | undefined {
  const text = params.string('track_total_hits');
  if (text === undefined) return undefined;
  if (text === '' || text === 'true') return true;
  if (text === 'false') return false;
  return totalHitsCap(params.integer('track_total_hits')!);
}

function terminateParam(params: Params): number | undefined {
  const value = params.integer('terminate_after');
  if (value !== undefined && value < 0) throw illegalArgument('terminateAfter must be > 0');
  return value;
}

/** Checks parameters that have no effect here. Invalid values are refused. */
function checkOnly(params: Params): void {
  const type = params.string('search_type');
  if (type === 'query_and_fetch' || type === 'dfs_query_and_fetch') {
    throw illegalArgument(`Unsupported search type [${type}]`);
  }
  if (type !== undefined && type !== 'query_then_fetch' && type !== 'dfs_query_then_fetch') {
    throw illegalArgument(`No search type for [${type}]`);
  }
  if ((params.integer('batched_reduce_size') ?? 2) < 2)
    throw illegalArgument('batchedReduceSize must be >= 2');
  if ((params.integer('pre_filter_shard_size') ?? 1) < 1)
    throw illegalArgument('preFilterShardSize must be >= 1');
  if ((params.integer('max_concurrent_shard_requests') ?? 1) < 1) {
    throw illegalArgument('maxConcurrentShardRequests must be >= 1');
  }
  params.millis('cancel_after_time_interval');
  const pipeline = params.string('search_pipeline');
  if (pipeline !== undefined && pipeline !== '_none')
    throw illegalArgument(`Pipeline ${pipeline} is not defined`);
  if (params.boolean('verbose_pipeline') === true)
    throw illegalArgument("The 'verbose pipeline' option requires a search pipeline to be defined.");
  for (const name of ['request_cache', 'allow_partial_search_results', 'ccs_minimize_roundtrips'])
    params.boolean(name);
}

/** `suggest_field`: corrections of the words of a text. */
function applySuggestParams(spec: SearchSpec, params: Params): void {
  const field = params.string('suggest_field');
  if (field === undefined) return;
  const text = params.string('suggest_text') ?? params.string('q') ?? '';
  const size = params.string('suggest_size');
  const mode = params.string('suggest_mode');
  const term = {
    field,
    ...(size === undefined ? {} : { size }),
    ...(mode === undefined ? {} : { suggest_mode: mode }),
  };
  spec.suggest = { ...spec.suggest, [field]: { text, term } };
}
