// Errors of a search as the peer's shards report them. What fails against the fields of an index is wrapped;
// syntax errors and limits of the request are not.

import {
  EngineError,
  type IndexInfo,
  type JsonObject,
  type JsonValue,
  parseAggregations,
  parseQuery,
  parseSort,
  type SearchRequest,
  Turn,
} from '@octavo/engine';
import { SearchPhaseError, type ShardFailure } from '../../errors/error-body.ts';
import { chain, type MaybePromise, rescue } from '../../sync-first.ts';
import type { Target } from '../resolve/target.ts';
import type { Services } from '../router/route.ts';

const UNWRAPPED: ReadonlySet<string> = new Set([
  'parsing_exception',
  'x_content_parse_exception',
  'json_parse_exception',
  'json_e_o_f_exception',
  'action_request_validation_exception',
  'index_not_found_exception',
  'index_closed_exception',
  'search_phase_execution_exception',
  'search_context_missing_exception',
  'cursor_invalid',
  'cursor_mismatch',
  'cursor_expired',
  'cursor_forbidden',
  'timeout_exception',
  'circuit_breaking_exception',
  'cluster_block_exception',
]);

/** What is wrong with a query, whatever the index. */
export function findMalformation({
  query,
  postFilter,
  aggregations,
  sort,
}: {
  readonly query?: JsonObject | undefined;
  readonly postFilter?: JsonObject | undefined;
  readonly aggregations?: JsonObject | undefined;
  readonly sort?: JsonValue | undefined;
}): unknown {
  try {
    for (const each of [query, postFilter]) if (each !== undefined) parseQuery(each);
    if (aggregations !== undefined) parseAggregations(aggregations);
    parseSort(sort);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Runs a request. `failures` are those of the indices that it leaves out. */
type ShardSearch<T> = (request: SearchRequest, failures: readonly ShardFailure[]) => MaybePromise<T>;

/**
 * Runs a search. Errors of its query phase are wrapped as the peer's shards report them. A search that fails in
 * some of its indices is run again without them if it may be partial.
 */
export function wrapShardErrors<T>(
  services: Services,
  target: Target,
  request: SearchRequest,
  search: ShardSearch<T>,
  allowPartial = false,
): MaybePromise<T> {
  const { timeoutMs } = request;
  const started = performance.now();
  /** The request over some of the indices, in what remains of its time. */
  const over = (indices: readonly string[]): SearchRequest => ({
    ...request,
    indices,
    ...(timeoutMs && { timeoutMs: Math.max(1, Math.ceil(started + timeoutMs - performance.now())) }),
  });
  return rescue(
    () => search(request, []),
    (thrown) => {
      const error = shardError(thrown, request);
      return chain(findFailures(services, target, error, over), (failures) => {
        const failed = new Set(failures.map(({ index }) => index));
        const indices = request.indices.filter((name) => !failed.has(name));
        const isPartial = failures.length > 0 && indices.length > 0;
        const fail = (all: readonly ShardFailure[]): never => {
          throw new SearchPhaseError(all, services.nodeId, isPartial);
        };
        if (!isPartial || !allowPartial)
          return fail(failures.length > 0 ? failures : [failureOf(target.infos[0]!, error)]);
        return rescue(
          () => search(over(indices), failures),
          (thrown) => {
            const info = target.infos.find(({ name }) => name === indices[0])!;
            return fail([...failures, failureOf(info, shardError(thrown, request))]);
          },
        );
      });
    },
  );
}

/** The error of a search if shards report it; other errors are thrown. */
function shardError(thrown: unknown, request: SearchRequest): EngineError {
  if (!(thrown instanceof EngineError)) throw thrown;
  const own = findMalformation(request);
  if (own !== undefined) throw own;
  // Only errors of functions that do not fit their fields have a place by now.
  const isOfFields = thrown.type === 'parsing_exception' && 'line' in thrown.details;
  if (UNWRAPPED.has(thrown.type) && !isOfFields) throw thrown;
  return thrown;
}

/**
 * The failures of the single indices: each is searched alone, because an error may come from any stage. There
 * are none if only the indices together fail.
 */
function findFailures(
  { engine }: Services,
  { infos }: Target,
  error: EngineError,
  over: (indices: readonly string[]) => SearchRequest,
): MaybePromise<readonly ShardFailure[]> {
  if (infos.length === 1) return [failureOf(infos[0]!, error)];
  const find = async (): Promise<ShardFailure[]> => {
    const failures: ShardFailure[] = [];
    const turn = new Turn();
    for (const info of infos) {
      const { shape: _, ...request } = over([info.name]);
      try {
        await engine.searchPage(request, () => undefined);
      } catch (thrown) {
        failures.push(failureOf(info, shardError(thrown, request)));
      }
      if (turn.isOver()) await turn.next();
    }
    return failures;
  };
  return find();
}

function failureOf(info: IndexInfo, error: EngineError): ShardFailure {
  return { index: info.name, error: nameIndex(error, info) };
}

/** Runs a search of one document. Its errors are those of the shard, as the peer's `_explain` reports them. */
export function nameShardErrors<T>(
  target: Target,
  request: SearchRequest,
  search: () => MaybePromise<T>,
): MaybePromise<T> {
  return rescue(search, (thrown) => {
    if (!(thrown instanceof EngineError)) throw thrown;
    throw findMalformation(request) ?? nameIndex(thrown, target.infos[0]!);
  });
}

/** An error of a query against an index, with the name of the index. */
function nameIndex(error: EngineError, { name, uuid }: IndexInfo): EngineError {
  if (error.type !== 'query_shard_exception' || 'index' in error.details) return error;
  return new EngineError(error.type, error.message, {
    status: error.status,
    details: { ...error.details, index: name, index_uuid: uuid },
    ...(error.causedBy === undefined ? {} : { causedBy: error.causedBy }),
  });
}
