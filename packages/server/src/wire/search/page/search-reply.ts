// Finds the page of a search and builds the reply. Plain hits are written as bytes; all others, and replies that
// are reshaped by `pretty` or `filter_path`, are trees.

import {
  EngineError,
  type HitsResult,
  type PageReader,
  runToEnd,
  type SearchPage,
  type SearchRequest,
  type SearchResult,
} from '@octavo/engine';
import type { ShardFailure } from '../../../errors/error-body.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import { chain, type MaybePromise } from '../../../sync-first.ts';
import { searchShards } from '../../resolve/shards.ts';
import type { Target } from '../../resolve/target.ts';
import type { Reply, ReplySteps, Services } from '../../router/route.ts';
import { clusterSetting } from '../../settings/cluster-settings-store.ts';
import { isWholeSource, WHOLE_SOURCE } from '../../source/source-filter.ts';
import type { SearchCall, SearchSpec } from '../body/search-spec.ts';
import { wrapShardErrors } from '../search-errors.ts';
import { printAggregations } from './aggregation-writer.ts';
import { findInnerHits } from './inner-hits.ts';
import { canWriteBytes, type PageWriter } from './page-writer.ts';
import { profileTree } from './profile-tree.ts';
import { moveToToken, tokenMembers, usesTokens, withSnapshot } from './search-tokens.ts';
import { bucketHits, hitsTree, searchTree } from './search-tree.ts';
import { suggestTree } from './suggest-tree.ts';

/** Above this many hits, room for the sources is checked before the page is written. */
const LONG_PAGE = 100;

/** A search with its request to the engine. */
interface PreparedSearch {
  readonly call: SearchCall;
  readonly services: Services;
  readonly target: Target;
  readonly spec: SearchSpec;
  readonly request: SearchRequest;
  readonly writer: PageWriter;
  /** In ms of performance.now(). */
  readonly started: number;
  /** Members that come first in the reply: the id of a scroll or a point in time. */
  readonly first?: ReplyObject;
  /** Of the indices that are not part of the request because they failed. */
  readonly failures?: readonly ShardFailure[];
}

/** The reply to a search, with its tokens and the groups of its hits if the search asks for them. */
export function searchReply(search: PreparedSearch): MaybePromise<Reply> {
  const { spec, target, services } = search;
  const hasGroups = spec.innerHits.length > 0;
  // Groups are searched after their hits, with the same meaning of `now`.
  const request = hasGroups ? { ...search.request, now: Date.now() } : search.request;
  if (!usesTokens(spec) && !hasGroups) return pageReply(search);
  const positioned = usesTokens(spec) ? moveToToken(request, spec, target, services) : request;
  return withSnapshot(positioned, spec, services, (positioned, keep) =>
    withPage({ ...search, request: positioned }, (search, page) => {
      const last = usesTokens(spec) ? tokenMembers(page, spec, target, services, keep) : undefined;
      return hasGroups ? groupedReply(search, page.result(), last) : replyWith(search, page, last);
    }),
  );
}

/** The reply to a search without tokens or groups. */
export function pageReply(search: PreparedSearch): MaybePromise<Reply> {
  return withPage(search, replyWith);
}

/** Finds the page and shows it: of all indices, or without those that failed. */
function withPage(
  search: PreparedSearch,
  show: (search: PreparedSearch, page: SearchPage) => ReturnType<PageReader<Reply>>,
): MaybePromise<Reply> {
  const { services, target, spec } = search;
  if (target.indices.length === 0) return emptyReply(search, services.engine.snapshot());
  const bounded = withBucketLimit(search.request, services);
  return wrapShardErrors(
    services,
    target,
    bounded,
    (request, failures) => {
      // An error while values are fetched is an error of a shard, too.
      checkStoredFields(spec);
      const found = failures.length === 0 ? search : { ...search, request, failures };
      return services.engine.searchPage(request, (page) => show(found, page));
    },
    allowsPartial(search),
  );
}

/** Whether hits may be returned if some indices fail. Lists that are walked by tokens are complete by default. */
function allowsPartial({ call, spec }: PreparedSearch): boolean {
  return call.params.boolean('allow_partial_search_results') ?? !usesTokens(spec);
}

/** Throws if `stored_fields: _none_` is combined with `_source` or `fields`. */
function checkStoredFields({ storedFields, source, fields }: SearchSpec): void {
  if (storedFields?.includes('_none_') !== true) return;
  const refused = (why: string): EngineError =>
    new EngineError('search_exception', `[stored_fields] cannot be disabled ${why}`);
  if (source?.enabled === true) throw refused('if [_source] is requested');
  if (fields.length > 0) throw refused('when using the [fields] option');
}

/** The request with the current limit of buckets (a cluster setting). */
function withBucketLimit(request: SearchRequest, { engine }: Services): SearchRequest {
  if (request.aggregations === undefined) return request;
  const most = clusterSetting(engine.settings, 'search.max_buckets');
  return most === undefined ? request : { ...request, maxBuckets: Number(most) };
}

function* replyWith(search: PreparedSearch, page: SearchPage, tokens?: ReplyObject): ReplySteps {
  const last = yield* withResults(search, page, tokens);
  const { call, services, spec, writer, started, first, failures } = search;
  // Reading the sources takes most of the time of a long page.
  if (page.count > LONG_PAGE && isWholeSource(spec.source ?? WHOLE_SOURCE))
    services.answerBytes.requireRoom(services.principal.id, page.sourceBytes);
  // `PageWriter` always prints `failed: 0`.
  if (failures === undefined && canWriteBytes(call, spec, page))
    return { bytes: yield* writer.write(page, spec, started, first, last) };
  const result = page.result('lazy');
  return treeReply(search, result, last, yield* hitsTree(services, search.target, spec, result));
}

/** The members after the hits: aggregations, suggestions and profile, then tokens. */
function* withResults(
  { services, target, spec }: PreparedSearch,
  { aggregations, suggest, profile }: Pick<SearchResult, 'aggregations' | 'suggest' | 'profile'>,
  tokens: ReplyObject | undefined,
): Generator<void, ReplyObject | undefined, undefined> {
  if (aggregations === undefined && suggest === undefined && profile === undefined) return tokens;
  const { typedKeys } = spec;
  const { answerBytes: most } = services.limits;
  const hits = ({ result, request }: HitsResult): Generator<void, ReplyObject, undefined> =>
    bucketHits(services, target, spec, result, request);
  return {
    aggregations: aggregations && (yield* printAggregations(aggregations, { typedKeys, hits, most })),
    suggest: suggest && (yield* suggestTree(services, target, spec, suggest)),
    profile: profile && profileTree(services, profile),
    ...tokens,
  };
}

/**
 * The reply with groups. The hits are printed before the groups are searched, because their segments may be
 * freed meanwhile.
 */
function* groupedReply(
  search: PreparedSearch,
  result: SearchResult,
  last: ReplyObject | undefined,
): Generator<void, MaybePromise<Reply>, undefined> {
  const { services, target, spec, request } = search;
  const inner = result.hits.map((): ReplyObject => ({}));
  const hits = yield* hitsTree(services, target, spec, result, inner);
  const results = yield* withResults(search, result, last);
  return chain(findInnerHits(services, target, spec, request, result, inner), () =>
    treeReply(search, result, results, hits),
  );
}

/** A search over no index finds nothing. */
function emptyReply(search: PreparedSearch, snapshot: number): Reply {
  const { spec } = search;
  const result: SearchResult = {
    timedOut: false,
    terminatedEarly: undefined,
    total: spec.trackTotalHits === false ? undefined : { value: 0, relation: 'eq' },
    maxScore: undefined,
    hits: [],
    more: false,
    moreBefore: false,
    snapshot,
  };
  const hits = runToEnd(hitsTree(search.services, search.target, spec, result));
  return treeReply(search, result, usesTokens(spec) ? { as_of: snapshot } : undefined, hits);
}

function treeReply(
  { services, target, failures, started, first }: PreparedSearch,
  result: SearchResult,
  last: ReplyObject | undefined,
  hits: ReplyObject,
): Reply {
  const shards = searchShards(target.infos, failures, services.nodeId);
  const body = { ...first, ...searchTree(shards, result, started, hits), ...last };
  if (failures === undefined) return { body };
  return { body, failedIndices: new Set(failures.flatMap(({ index }) => index ?? [])) };
}
