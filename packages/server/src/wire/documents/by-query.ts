// The `_delete_by_query` and `_update_by_query` endpoints: page through a snapshot, read as it was at the
// first page, and delete or write again each document, if it is still the version that was found.

import {
  attachPlace,
  type Engine,
  EngineError,
  FailedScriptError,
  type Hit,
  illegalArgument,
  readScript,
  type ScriptSpec,
  type SearchRequest,
  unknownKey,
  type WriteOp,
} from '@octavo/engine';
import { errorObject, SearchPhaseError } from '../../errors/error-body.ts';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { QUERY_PARAMS, searchTarget, type Target } from '../resolve/target.ts';
import type { Call, Params, Reply, Route, Services } from '../router/route.ts';
import { resolveLookups } from '../search/body/document-lookups.ts';
import { wholeMember } from '../search/body/scalar-members.ts';
import { readMember } from '../search/body/search-body.ts';
import { applyParams } from '../search/body/search-params.ts';
import { emptySpec, type SearchSpec } from '../search/body/search-spec.ts';
import { sliceOf } from '../search/body/slice.ts';
import { infosByName } from '../search/leases/index-info-memo.ts';
import { contextMissing } from '../search/leases/lease-id.ts';
import { wrapShardErrors } from '../search/search-errors.ts';
import { SOURCE_PARAMS } from '../source/source-spec.ts';
import { refuseAbsentCopies, refusePipeline } from './write-params.ts';
import { withIndex } from './write-reply.ts';

const PARAMS = [
  ...QUERY_PARAMS,
  ...RESOLVE_PARAMS,
  ...SOURCE_PARAMS,
  'conflicts',
  'from',
  'max_docs',
  'pipeline',
  'preference',
  'refresh',
  'request_cache',
  'requests_per_second',
  'routing',
  'scroll',
  'scroll_size',
  'search_timeout',
  'search_type',
  'size',
  'slices',
  'sort',
  'stats',
  'terminate_after',
  'timeout',
  'version',
  'wait_for_active_shards',
  'wait_for_completion',
];

/** The rows of this family. */
export const byQueryRoutes: readonly Route[] = ['/{index}', '/{index}/_doc', '/{index}/{type}'].flatMap(
  (prefix) => [
    { methods: ['POST'], path: `${prefix}/_delete_by_query`, params: PARAMS, handle: deleteByQuery },
    { methods: ['POST'], path: `${prefix}/_update_by_query`, params: PARAMS, handle: updateByQuery },
  ],
);

/** The lease of the snapshot is renewed for each page. */
const LEASE_MS = 300_000;

/** The write for a document that was found. */
type Change = (hit: Hit) => WriteOp;

/** What a change by query has done. */
export interface ByQueryOutcome {
  total: number;
  updated: number;
  deleted: number;
  batches: number;
  conflicts: number;
  noops: number;
  readonly failures: ReplyObject[];
  readonly touched: Set<string>;
  /** Writes that were repeated. */
  retries: number;
}

async function deleteByQuery(call: Call, services: Services): Promise<Reply> {
  const requested = readByQuery(call, services);
  if (requested.search.query === undefined) throwIfInvalid(['query is missing']);
  return await walk(call, services, requested, (hit) => ({
    kind: 'delete',
    ...onlyThisVersion(hit),
  }));
}

async function updateByQuery(call: Call, services: Services): Promise<Reply> {
  const requested = readByQuery(call, services, true);
  const { script } = requested;
  return await walk(call, services, requested, (hit) =>
    script === undefined
      ? { kind: 'index', ...onlyThisVersion(hit), source: hit.source }
      : { kind: 'update', ...onlyThisVersion(hit), update: { script, wantsSource: false } },
  );
}

/** One change by query. */
interface ByQuerySpec {
  /** The search that finds the documents. */
  readonly search: SearchSpec;
  /** What becomes of each document; it is written again as it is without one. */
  readonly script?: ScriptSpec;
  readonly proceedsOnConflict: boolean;
  /** The highest number of documents to change. */
  readonly maxDocs: number;
  /** Documents of a page. */
  readonly size: number;
}

/** Members with the same meaning as in a search. */
const SEARCH_MEMBERS: ReadonlySet<string> = new Set(['query', 'size', 'slice', 'sort']);

/** Reads body and parameters. */
function readByQuery(call: Call, { limits }: Services, mayScript = false): ByQuerySpec {
  const { params } = call;
  const body = call.object();
  const search = emptySpec();
  let conflicts: string | undefined;
  let maxDocs: number | undefined;
  let script: ScriptSpec | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (SEARCH_MEMBERS.has(name)) readMember(search, body, name);
    else if (name === 'conflicts' && typeof value === 'string') conflicts = value;
    else if (name === 'max_docs' && typeof value === 'number') maxDocs = wholeMember(name, value);
    else if (name === 'script' && mayScript) script = readScript(body, name, 'update_by_query');
    else throw attachPlace(unknownKey(name, value), { holder: body, key: name, at: 'value' });
  }
  const most = mostOf(params, maxDocs ?? search.size, maxDocs === undefined ? 'size' : 'max_docs');
  applyParams(search, params);
  if (search.from !== undefined) throwIfInvalid(['from is not supported in this context']);
  refuseSlices(params.string('slices'));
  refuseRate(params.number('requests_per_second'));
  refusePipeline(params.string('pipeline'));
  refuseAbsentCopies(params.string('wait_for_active_shards'));
  return {
    search,
    ...(script === undefined ? {} : { script: { ...script, isByQuery: true } }),
    maxDocs: most,
    proceedsOnConflict: proceedsIn(params.string('conflicts') ?? conflicts ?? 'abort'),
    size: Math.min(scrollSize(params), limits.pageSize),
  };
}

/** The document of a hit, in the version that was found. */
function onlyThisVersion(hit: Hit): Omit<WriteOp, 'kind'> {
  return {
    index: hit.index,
    id: hit.id,
    type: hit.type,
    ifSeqNo: hit.seqNo,
    ifPrimaryTerm: 1,
    ...(hit.routing === undefined ? {} : { routing: hit.routing }),
  };
}

async function walk(call: Call, services: Services, requested: ByQuerySpec, change: Change): Promise<Reply> {
  const started = performance.now();
  const { engine } = services;
  const refreshes = call.params.boolean('refresh') === true;
  const target = searchTarget(engine, call);
  const { query, sort = ['_doc'], terminateAfter = 0 } = requested.search;
  const outcome = newOutcome();
  const lease = engine.openLease({ kind: 'by-query', keepAliveMs: LEASE_MS });
  const renew = (): void => {
    if (engine.lease(lease.id, LEASE_MS) === undefined)
      throw new SearchPhaseError([{ index: undefined, error: contextMissing(lease.id) }], services.nodeId);
  };
  try {
    const request: SearchRequest = {
      indices: target.indices,
      ...(target.filters === undefined ? {} : { filters: target.filters }),
      ...(query === undefined ? {} : { query: resolveLookups(query, { engine, indices: target.indices }) }),
      sort,
      ...(terminateAfter === 0 ? {} : { terminateAfter }),
      ...sliceOf(requested.search, 'scroll'),
      snapshot: lease.snapshot,
      now: Date.now(),
      as: infosByName(target.infos),
      ignoreWindow: true,
      signal: call.signal,
    };
    await pages(services, target, request, { ...requested, change, renew }, outcome);
  } finally {
    engine.closeLease(lease.id);
  }
  if (refreshes && outcome.touched.size > 0) await engine.indices.refresh([...outcome.touched]);
  const deletes = call.uri.includes('_delete_by_query');
  return {
    // The highest status of the failures, as with the peer: a full disk counts more than a conflict.
    status: Math.max(200, ...outcome.failures.map((failure) => Number(failure['status']))),
    body: report(outcome, Math.round(performance.now() - started), deletes),
  };
}

async function pages(
  services: Services,
  target: Target,
  request: SearchRequest,
  plan: ByQuerySpec & { readonly change: Change; readonly renew: () => void },
  outcome: ByQueryOutcome,
): Promise<void> {
  const { engine } = services;
  if (target.indices.length === 0) return;
  for (let from = 0; from < plan.maxDocs; ) {
    const size = Math.min(plan.size, plan.maxDocs - from);
    // Without the snapshot, documents would move up behind deleted ones and be skipped.
    plan.renew();
    const page = await wrapShardErrors(services, target, request, () =>
      engine.search({ ...request, from, size }),
    );
    outcome.total = Math.min(page.total?.value ?? page.hits.length, plan.maxDocs);
    if (page.hits.length === 0) return;
    outcome.batches++;
    const results = await engine.write(page.hits.map(plan.change));
    for (const result of results) record(engine, result, plan.proceedsOnConflict, outcome);
    if (outcome.failures.length > 0) return;
    from += page.hits.length;
    if (!page.more) return;
  }
}

function record(
  engine: Engine,
  result: Awaited<ReturnType<Engine['write']>>[number],
  proceed: boolean,
  outcome: ByQueryOutcome,
): void {
  if (result.error === undefined) {
    outcome.touched.add(result.index);
    if (result.result === 'deleted') outcome.deleted++;
    else if (result.result === 'updated' || result.result === 'created') outcome.updated++;
    else outcome.noops++;
    return;
  }
  // A mistake of the script is one of the request, not of a document.
  if (result.error instanceof FailedScriptError) throw result.error.causedBy ?? result.error;
  const conflict = result.error.type === 'version_conflict_engine_exception';
  if (conflict) outcome.conflicts++;
  if (conflict && proceed) return;
  outcome.failures.push({
    index: result.index,
    id: result.id,
    cause: errorObject(withIndex(result.error, engine, result.index)),
    status: result.error.status,
  });
}

/** The body of the reply. */
export function report(outcome: ByQueryOutcome, took: number, deletes: boolean): ReplyObject {
  return {
    took,
    timed_out: false,
    total: outcome.total,
    updated: deletes ? undefined : outcome.updated,
    deleted: outcome.deleted,
    batches: outcome.batches,
    version_conflicts: outcome.conflicts,
    noops: outcome.noops,
    retries: { bulk: outcome.retries, search: 0 },
    throttled_millis: 0,
    requests_per_second: double(-1),
    throttled_until_millis: 0,
    failures: outcome.failures,
  };
}

function proceedsIn(conflicts: string): boolean {
  if (conflicts === 'proceed' || conflicts === 'abort') return conflicts === 'proceed';
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${conflicts}]`);
}

function scrollSize(params: Params): number {
  const size = params.integer('scroll_size') ?? 1_000;
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  throwIfInvalid(size === 0 ? ['[size] cannot be [0] in a scroll context'] : []);
  return size;
}

/** Checks `slices`. The documents are paged in one slice, whatever the number. */
function refuseSlices(text: string | undefined): void {
  if (text === undefined || text === 'auto' || (/^\d{1,9}$/.test(text) && Number(text) > 0)) return;
  throw illegalArgument(`[slices] must be a positive integer or the string "auto", but was [${text}]`);
}

/** Checks `requests_per_second`. Nothing is throttled. */
function refuseRate(rate: number | undefined): void {
  if (rate === undefined || rate === -1 || rate > 0) return;
  throw illegalArgument(
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
  );
}

function mostOf(params: Params, member: number | undefined, memberName: 'max_docs' | 'size'): number {
  const param = params.integer('max_docs') ?? params.integer('size');
  const value = param ?? member;
  if (param !== undefined && member !== undefined && param !== member) {
    throw illegalArgument(`[max_docs] set to two different values [${param}] and [${member}]`);
  }
  if (value === undefined || value === -1) return Number.MAX_SAFE_INTEGER;
  if (value > 0) return value;
  if (value < 0) {
    const name = params.has('max_docs') ? 'max_docs' : member === undefined ? 'size' : memberName;
    throw illegalArgument(`[${name}] parameter cannot be negative, found [${value}]`);
  }
  throw new EngineError(
    'action_request_validation_exception',
    `Validation Failed: 1: maxDocs should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [${value}];`,
  );
}

/** An outcome before the first page. */
export function newOutcome(): ByQueryOutcome {
  return {
    total: 0,
    updated: 0,
    deleted: 0,
    batches: 0,
    conflicts: 0,
    noops: 0,
    failures: [],
    touched: new Set(),
    retries: 0,
  };
}
