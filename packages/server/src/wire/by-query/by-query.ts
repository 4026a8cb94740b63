// The `_delete_by_query` and `_update_by_query` endpoints: each document that a query finds is deleted or written again,
// if it is still the version that was found.

import { attachPlace, readScript, type ScriptSpec, unknownKey, type WriteOp } from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import { refusePipeline } from '../documents/write-params.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { QUERY_PARAMS, searchTarget } from '../resolve/target.ts';
import type { FoundDocument } from '../router/document-pages.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { requireKnownScript, resolveScripts } from '../scripts/stored-scripts.ts';
import { wholeMember } from '../search/body/scalar-members.ts';
import { readSearchMember } from '../search/body/search-body.ts';
import { applyParams } from '../search/body/search-params.ts';
import { emptySpec, type SearchSpec } from '../search/body/search-spec.ts';
import { SOURCE_PARAMS } from '../source/source-filter.ts';
import {
  BY_QUERY_PARAMS,
  maxDocsOf,
  PAGE_DOCUMENTS,
  pageSize,
  proceedsIn,
  readPace,
} from './by-query-params.ts';
import { type ByQueryOptions, type ByQueryPlan, changeFound } from './change-found.ts';
import { localPages } from './found-pages.ts';

const PARAMS = [
  ...QUERY_PARAMS,
  ...RESOLVE_PARAMS,
  ...SOURCE_PARAMS,
  ...BY_QUERY_PARAMS,
  'conflicts',
  'from',
  'pipeline',
  'preference',
  'request_cache',
  'routing',
  'scroll_size',
  'search_timeout',
  'search_type',
  'size',
  'sort',
  'stats',
  'terminate_after',
  'version',
];

/** The rows of this family. */
export const byQueryRoutes: readonly Route[] = ['/{index}', '/{index}/_doc', '/{index}/{type}'].flatMap(
  (prefix) => [
    { methods: ['POST'], path: `${prefix}/_delete_by_query`, params: PARAMS, handle: deleteByQuery },
    { methods: ['POST'], path: `${prefix}/_update_by_query`, params: PARAMS, handle: updateByQuery },
  ],
);

async function deleteByQuery(call: Call, services: Services): Promise<Reply> {
  const spec = readByQuery(call, services);
  if (spec.search.query === undefined) throwIfInvalid(['query is missing']);
  return await changeFound(call, services, {
    ...planOf(call, services, spec),
    task: {
      action: 'indices:data/write/delete/byquery',
      description: `delete-by-query [${shownNames(call)}]`,
    },
    counts: { created: false, updated: false },
    change: (document) => ({ kind: 'delete', ...onlyThisVersion(document) }),
  });
}

async function updateByQuery(call: Call, services: Services): Promise<Reply> {
  const spec = readByQuery(call, services, true);
  const { script } = spec;
  return await changeFound(call, services, {
    ...planOf(call, services, spec),
    task: {
      action: 'indices:data/write/update/byquery',
      description: `update-by-query [${shownNames(call)}]${script === undefined ? '' : ' updated with a script'}`,
    },
    counts: { created: false, updated: true },
    change: (document) =>
      script === undefined
        ? { kind: 'index', ...onlyThisVersion(document), source: document.source }
        : { kind: 'update', ...onlyThisVersion(document), update: { script, wantsSource: false } },
  });
}

function shownNames({ path }: Call): string {
  return path['index']!.split(',').join(', ');
}

/** What a body and parameters say. */
interface ByQuerySpec extends ByQueryOptions {
  /** The search that finds the documents. */
  readonly search: SearchSpec;
  /** What becomes of each document; it is written again as it is without one. */
  readonly script?: ScriptSpec;
}

function planOf(
  call: Call,
  services: Services,
  spec: ByQuerySpec,
): ByQueryOptions & Pick<ByQueryPlan, 'open'> {
  const open: ByQueryPlan['open'] = (signal) =>
    localPages(services, searchTarget(services.engine, call), spec.search, signal);
  return { ...spec, open };
}

/** Members with the same meaning as in a search. */
const SEARCH_MEMBERS: ReadonlySet<string> = new Set(['query', 'size', 'slice', 'sort']);

/** Reads body and parameters. */
function readByQuery(call: Call, { engine, limits }: Services, mayScript = false): ByQuerySpec {
  const { params } = call;
  const body = resolveScripts(engine, call.object());
  const search = emptySpec();
  let conflicts: string | undefined;
  let maxDocs: number | undefined;
  let script: ScriptSpec | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (SEARCH_MEMBERS.has(name)) readSearchMember(search, body, name);
    else if (name === 'conflicts' && typeof value === 'string') conflicts = value;
    else if (name === 'max_docs' && typeof value === 'number') maxDocs = wholeMember(name, value);
    else if (name === 'script' && mayScript) script = readScript(body, name, 'update_by_query');
    else throw attachPlace(unknownKey(name, value), { holder: body, key: name, at: 'value' });
  }
  const most = maxDocsOf(params, maxDocs ?? search.size, maxDocs === undefined ? 'size' : 'max_docs');
  applyParams(search, params);
  if (search.from !== undefined) throwIfInvalid(['from is not supported in this context']);
  refusePipeline(params.string('pipeline'));
  return {
    search,
    ...(script === undefined ? {} : { script: { ...requireKnownScript(engine, script), isByQuery: true } }),
    ...readPace(params),
    maxDocs: most,
    proceedsOnConflict: proceedsIn(params.string('conflicts') ?? conflicts ?? 'abort'),
    size: Math.min(pageSize(params.integer('scroll_size') ?? PAGE_DOCUMENTS), limits.pageSize),
  };
}

/** A document, in the version that was found. */
function onlyThisVersion(document: FoundDocument): Omit<WriteOp, 'kind'> {
  const { index, id, type, seqNo, routing } = document;
  return {
    index,
    id,
    type,
    ifSeqNo: seqNo,
    ifPrimaryTerm: 1,
    ...(routing === undefined ? {} : { routing }),
  };
}
