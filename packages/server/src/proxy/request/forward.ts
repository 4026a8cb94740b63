// How does a request of ours become one of the cluster's? The same path and parameters with the indices that were
// resolved, the body as it came or as it was narrowed; back come status, body and a few headers.

import { EngineError, type JsonObject, stringifyJson } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import type { LeaseQuota } from '../../access/limits/quotas.ts';
import { errorBody } from '../../errors/body.ts';
import { MOVED_SECONDS } from '../../observe/fence.ts';
import { type Call, RawJson, type Reply, type Services } from '../../wire/router/route.ts';
import type { DocumentNews } from '../change-events/change-events.ts';
import { toldBy } from '../change-events/written-documents.ts';
import { type Cluster, ClusterAnswered, type ClusterRequest } from '../client/cluster.ts';
import type { NodeAnswer } from '../client/send.ts';
import { ClusterCaller, encoded } from './cluster-caller.ts';
import type { ClusterCatalog } from './cluster-catalog.ts';
import type { ClusterWalks } from './scroll-positions.ts';

/** What the handlers of this room stand on. */
export interface ClusterServices {
  readonly cluster: Cluster;
  readonly catalog: ClusterCatalog;
  /** Open scrolls and points in time, by caller. */
  readonly quota: LeaseQuota;
  readonly walks: ClusterWalks;
  /** Writes of documents are told to it. */
  readonly news: DocumentNews;
}

/** One request on its way to the cluster. */
export interface Forwarded extends ClusterServices {
  readonly call: Call;
  readonly services: Services;
  readonly caller: ClusterCaller;
  /** The path of the route, such as `/{index}/_search`. */
  readonly route: string;
}

/** What differs from the request as it came. */
export interface Changes {
  readonly method?: string;
  /** The indices, encoded; absent: as the caller named them. */
  readonly index?: string | undefined;
  /** More variables of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** In the place of the body. */
  readonly body?: JsonObject | Uint8Array | undefined;
  /** Parameters that the cluster is not told. */
  readonly without?: readonly string[];
  /** More of the query string. */
  readonly params?: Readonly<Record<string, string>>;
  readonly repeatable: boolean;
}

/** What this server does itself with every reply. */
const OWN_PARAMS: ReadonlySet<string> = new Set([
  'pretty',
  'filter_path',
  'format',
  'source',
  'source_content_type',
]);
/** Answers after which it is worth asking again. */
const COMES_AGAIN: ReadonlySet<number> = new Set([429, 503]);
/** Headers of the cluster that go on. */
const PASSED_HEADERS = ['location', 'warning', 'retry-after'] as const;

/** What a call and its caller are, before anything is asked. */
export function forwarded(call: Call, services: Services, own: ClusterServices, route: string): Forwarded {
  const caller = new ClusterCaller(services.principal, own.catalog);
  return { call, services, caller, ...own, route };
}

/** Sends it on, and gives what came back. */
export async function forward(asked: Forwarded, changes: Changes): Promise<Reply> {
  return replyOf(await asked.cluster.ask(requestOf(asked, changes)), asked.call);
}

/** Sends a write of documents on, and tells of what it has done; `documents` are noted before it is sent. */
export async function askWrite(
  asked: Forwarded,
  changes: Omit<Changes, 'repeatable'>,
  documents: readonly IntendedDocument[] = [],
): Promise<NodeAnswer> {
  const send = (): Promise<NodeAnswer> =>
    asked.cluster.ask(requestOf(asked, { ...changes, repeatable: false }));
  return await asked.news.write({ documents }, send, toldBy);
}

/** The request as the cluster gets it. */
export function requestOf({ call, route }: Forwarded, changes: Changes): ClusterRequest {
  const { without = [], params = {}, repeatable } = changes;
  // Tables are the cluster's own; as JSON they can be printed here in whatever format is asked for.
  const format = route.startsWith('/_cat') ? (call.params.string('format') ?? 'text') : 'text';
  const shape = format === 'text' ? {} : { format: 'json' };
  const query = queryString(call.queryString, without, { ...shape, ...params });
  const body =
    changes.body === undefined
      ? meant(call.body)
      : changes.body instanceof Uint8Array
        ? changes.body
        : Buffer.from(stringifyJson(changes.body), 'utf8');
  return {
    method: changes.method ?? (call.method === 'QUERY' ? 'POST' : call.method),
    path: `${pathOf(route, { ...call.path, ...changes.path }, changes.index)}${query === '' ? '' : `?${query}`}`,
    body,
    contentType: /_bulk$|_msearch$/.test(route) ? 'application/x-ndjson' : 'application/json',
    repeatable,
    opaqueId: textOf(call.headers['x-opaque-id']),
    signal: repeatable ? call.signal : undefined,
  };
}

/** White space is no body: the clusters take it for one that does not parse. */
function meant(body: Uint8Array): Uint8Array | undefined {
  return body.some((byte) => byte > 32) ? body : undefined;
}

/** The path of a route with its variables; an index that the caller did not name goes before it. */
function pathOf(route: string, path: Readonly<Record<string, string>>, index: string | undefined): string {
  const segments = route.split('/').slice(1);
  const parts = segments.map((segment) => {
    if (segment === '{index}' && index !== undefined) return index;
    return segment.startsWith('{') ? variable(segment, path[segment.slice(1, -1)] ?? '') : segment;
  });
  if (index !== undefined && !segments.includes('{index}')) parts.unshift(index);
  return `/${parts.join('/')}`;
}

/** A variable must not lead to another endpoint than the one that was matched. */
function variable(segment: string, value: string): string {
  const stray =
    segment === '{index}' && value.split(',').some((name) => name.startsWith('_') && name !== '_all');
  if (stray || value === '' || value === '.' || value === '..') {
    throw new EngineError(
      'invalid_index_name_exception',
      `Invalid name [${value}], must not start with '_', be empty, or be '.' or '..'`,
    );
  }
  return encoded(value);
}

function queryString(
  came: string,
  without: readonly string[],
  more: Readonly<Record<string, string>>,
): string {
  const kept = came.split('&').filter((part) => {
    const [name = ''] = part.split('=', 1);
    const plain = decodeURIComponent(name.replaceAll('+', ' '));
    return part !== '' && !OWN_PARAMS.has(plain) && !without.includes(plain);
  });
  for (const [name, value] of Object.entries(more)) kept.push(`${name}=${encodeURIComponent(value)}`);
  return kept.join('&');
}

/** An answer of the cluster as ours. */
export function replyOf(answer: NodeAnswer, { method }: Pick<Call, 'method'>, body?: Buffer): Reply {
  const headers: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = textOf(answer.headers[name]);
    if (value !== undefined) headers[name] = value;
  }
  // Whoever is told that it is too much is told when to come again.
  if (COMES_AGAIN.has(answer.status)) headers['retry-after'] ??= '1';
  const bytes = body ?? answer.body;
  const base = { status: answer.status, headers };
  if (bytes.length === 0 || method === 'HEAD') return base;
  const isJson = (answer.headers['content-type'] ?? '').includes('json');
  return isJson ? { ...base, body: new RawJson(bytes) } : { ...base, text: bytes.toString('utf8') };
}

/** What a handler has thrown, where it is about the cluster: its own answer, or that there is none. */
export function clusterFailure(thrown: unknown, call: Call): Reply {
  if (thrown instanceof ClusterAnswered) return replyOf(thrown.answer, call);
  if (thrown instanceof EngineError && COMES_AGAIN.has(thrown.status)) {
    const trace = call.params.has('error_trace') && call.params.string('error_trace') !== 'false';
    const seconds = thrown.type === 'records_moved_exception' ? MOVED_SECONDS : '1';
    return { status: thrown.status, body: errorBody(thrown, trace), headers: { 'retry-after': seconds } };
  }
  throw thrown;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
