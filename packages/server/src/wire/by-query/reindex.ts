// The `_reindex` endpoint: each document that a query finds is written to another index.

import {
  type Engine,
  EngineError,
  illegalArgument,
  type JsonObject,
  runReindexScript,
  runToEnd,
  type WriteOp,
} from '@octavo/engine';
import { throwIfInvalid } from '../../errors/validation-error.ts';
import type { Limits } from '../../limits.ts';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { refuseContradictions } from '../documents/write-params.ts';
import { SEARCH_OPTIONS } from '../resolve/resolve.ts';
import { type Target, targetOf } from '../resolve/target.ts';
import type { FoundDocument, FoundPages } from '../router/document-pages.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Params, Reply, Route, Services } from '../router/route.ts';
import { requireKnownScript, resolveScripts } from '../scripts/stored-scripts.ts';
import { isWholeSource, visibleSource } from '../source/source-filter.ts';
import { BY_QUERY_PARAMS, maxDocsOf, PAGE_DOCUMENTS, pageSize, readPace } from './by-query-params.ts';
import { type ByQueryPlan, changeFound } from './change-found.ts';
import { localPages } from './found-pages.ts';
import { type ReindexBody, readReindexBody } from './reindex-spec.ts';
import { refuseUnlisted } from './remote-spec.ts';

/** The rows of this family. */
export const reindexRoutes: readonly Route[] = [
  { methods: ['POST'], path: '/_reindex', params: [...BY_QUERY_PARAMS, 'require_alias'], handle: reindex },
];

async function reindex(call: Call, services: Services): Promise<Reply> {
  requireBody(call);
  const { params } = call;
  const body = readReindexBody(resolveScripts(services.engine, call.object()));
  if (body.script !== undefined) requireKnownScript(services.engine, body.script);
  const { source, destination } = body;
  const { search } = source;
  const requireAlias = params.boolean('require_alias') === true;
  if (requireAlias) refuseNoAlias(services.engine, destination.index);
  checkRemote(body, params, services);
  const copy = copier(body, services, requireAlias);
  return await changeFound(call, services, {
    ...readPace(params),
    task: {
      action: 'indices:data/write/reindex',
      description: `reindex from [${source.indices.join(', ')}]${body.script === undefined ? '' : ' updated with a script'} to [${destination.index}]`,
    },
    counts: { created: true, updated: true },
    maxDocs: maxDocsOf(params, body.maxDocs, 'max_docs'),
    proceedsOnConflict: body.proceedsOnConflict,
    size: Math.min(pageSize(search.size ?? PAGE_DOCUMENTS), services.limits.pageSize),
    open: (signal) => openSource(services, body, signal),
    change: copy,
  });
}

/** The documents to copy, of this server or another one. */
function openSource(
  services: Services,
  { source, destination }: ReindexBody,
  signal: AbortSignal,
): FoundPages | Promise<FoundPages> {
  const { indices, search, parts, remote } = source;
  if (remote === undefined) {
    const target = targetOf(services.engine, indices, undefined, SEARCH_OPTIONS);
    refuseOwnIndex(services.engine, target, destination.index);
    return localPages(services, target, search, signal);
  }
  const { query, sort = ['_doc'] } = search;
  const { includes, excludes } = parts;
  const asked = {
    ...(query === undefined ? {} : { query }),
    ...(isWholeSource(parts) ? {} : { _source: { includes: [...includes], excludes: [...excludes] } }),
    sort,
  };
  return services.remote.open({ ...remote, indices, search: asked }, signal);
}

/** Throws for a server that may not be read from, and for what only this server can do. */
function checkRemote({ source: { remote, search } }: ReindexBody, params: Params, services: Services): void {
  if (remote === undefined) return;
  const slices = params.string('slices');
  if ((slices !== undefined && slices !== '1') || search.slice !== undefined) {
    const found = slices === 'auto' ? '0' : (slices ?? search.slice?.max);
    throwIfInvalid([`reindex from remote sources doesn't support slices > 1 but was [${found}]`]);
  }
  refuseUnlisted(remote, services.remote.allowed);
}

/** Makes the write for a document. */
function copier(
  { source: { parts, remote }, destination, script }: ReindexBody,
  { engine, limits }: Services,
  requireAlias: boolean,
): ByQueryPlan['change'] {
  const mappings = new Map<string, JsonObject | undefined>();
  const mappingsOf = (index: string): JsonObject | undefined => {
    // Another server has dropped by itself what its mapping drops.
    if (remote !== undefined) return undefined;
    if (!mappings.has(index)) mappings.set(index, engine.indices.info(index)?.mappings);
    return mappings.get(index);
  };
  const now = Date.now();
  const isExternal = destination.versionType !== undefined && destination.versionType !== 'internal';
  return (document) => {
    const { index, id, type } = document;
    const shown = runToEnd(visibleSource(mappingsOf(index), document.source, parts));
    if (shown === undefined) throw illegalArgument(`[${index}][${id}] didn't store _source`);
    const routing = newRouting(destination.routing, document.routing);
    const op: Mutable<WriteOp> = {
      ...{ kind: destination.kind, index: destination.index, id, source: shown.bytes },
      ...(type === '_doc' ? {} : { type }),
      ...(routing === undefined ? {} : { routing }),
      ...(isExternal ? { versionType: destination.versionType!, version: document.version } : {}),
      ...(requireAlias ? { requireAlias } : {}),
    };
    if (script === undefined) return op;
    // Without external versions the peer does not read the versions of documents.
    const version = isExternal ? document.version : -1;
    const scripted = runReindexScript(script, { ...document, version, routing, source: shown.bytes }, now);
    return withScript(op, scripted, limits);
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The write after a script; undefined if it wants none. */
function withScript(
  op: Mutable<WriteOp>,
  made: ReturnType<typeof runReindexScript>,
  limits: Limits,
): WriteOp | undefined {
  if (made.op === 'noop') return undefined;
  op.source = made.source;
  if (made.index !== undefined) op.index = made.index;
  if (made.id === null) delete op.id;
  else if (made.id !== undefined) op.id = made.id;
  if (made.routing === null) delete op.routing;
  else if (made.routing !== undefined) op.routing = made.routing;
  if (made.version === null) {
    delete op.version;
    delete op.versionType;
  } else if (made.version !== undefined) op.version = made.version;
  if (made.op === 'delete') {
    if (op.id === undefined) throwIfInvalid(['id is missing']);
    return { kind: 'delete', index: op.index, id: op.id!, ...(op.routing && { routing: op.routing }) };
  }
  refuseContradictions(op, limits);
  return op;
}

function newRouting(rule: string, routing: FoundDocument['routing']): string | undefined {
  if (rule === 'keep') return routing;
  return rule === 'discard' ? undefined : rule.slice(1);
}

/** Throws if the destination is one of the indices that are read: its documents would be found again. */
function refuseOwnIndex({ indices }: Engine, target: Target, destination: string): void {
  const name = resolveDateMathName(destination);
  const writer = target.infos.find((info) => info.name === name || isWriteIndexOf(indices, info.name, name));
  if (writer !== undefined)
    throwIfInvalid([`reindex cannot write into an index its reading from [${destination}]`]);
}

/** True if writes to an alias go to an index. */
function isWriteIndexOf(indices: Engine['indices'], index: string, alias: string): boolean {
  const spec = indices.info(index)?.aliases;
  if (spec === undefined || !Object.hasOwn(spec, alias)) return false;
  if (spec[alias]!.isWriteIndex !== undefined) return spec[alias]!.isWriteIndex === true;
  return indices.names().every((name) => {
    return name === index || !Object.hasOwn(indices.info(name)?.aliases ?? {}, alias);
  });
}

function refuseNoAlias({ indices }: Engine, name: string): void {
  const isAlias = indices.names().some((each) => Object.hasOwn(indices.info(each)?.aliases ?? {}, name));
  if (isAlias) return;
  throw new EngineError(
    'index_not_found_exception',
    `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    { details: { index: name, index_uuid: '_na_' } },
  );
}
