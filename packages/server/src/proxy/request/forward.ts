// Turns a request into one for the cluster and its answer into a reply. Path and parameters stay, indices are
// resolved, and the body is forwarded as it came or narrowed. Status, body and a few headers come back.

import { EngineError, type JsonObject, stringifyJson } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import type { LeaseQuota } from '../../access/limits/lease-quota.ts';
import { errorBody } from '../../errors/error-body.ts';
import { MOVED_RETRY_SECONDS } from '../../errors/problem.ts';
import { RawJson } from '../../json/reply-value.ts';
import type { Call, Reply, Services } from '../../wire/router/route.ts';
import type { ChangeEvents } from '../change-events/change-events.ts';
import { changesFromAnswer } from '../change-events/written-documents.ts';
import { ClusterErrorAnswer, type ClusterRequest, type PeerCluster } from '../client/peer-cluster.ts';
import type { NodeAnswer } from '../client/send.ts';
import { ClusterCaller, encodeSegment } from './cluster-caller.ts';
import type { ClusterCatalog } from './cluster-catalog.ts';
import type { ScrollPositions } from './scroll-positions.ts';

/** What all handlers of the proxy share. */
export interface ProxyServices {
  readonly cluster: PeerCluster;
  readonly catalog: ClusterCatalog;
  /** Open scrolls and points in time by caller. */
  readonly quota: LeaseQuota;
  readonly scrolls: ScrollPositions;
  /** Publishes what writes change. */
  readonly changeEvents: ChangeEvents;
}

/** A request to be answered by the cluster. */
export interface ProxyRequest extends ProxyServices {
  readonly call: Call;
  readonly services: Services;
  readonly caller: ClusterCaller;
  /** The path of the route, such as `/{index}/_search`. */
  readonly route: string;
}

/** Differences between the caller's request and the forwarded one. */
interface RequestChanges {
  readonly method?: string;
  /** The indices, encoded. Absent: as the caller named them. */
  readonly index?: string | undefined;
  /** More path variables. */
  readonly path?: Readonly<Record<string, string>>;
  /** Replaces the body. */
  readonly body?: JsonObject | Uint8Array | undefined;
  /** Parameters that are not forwarded. */
  readonly without?: readonly string[];
  /** More parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly repeatable: boolean;
}

/** Parameters that this server applies to every reply itself. */
const OWN_PARAMS: ReadonlySet<string> = new Set([
  'pretty',
  'filter_path',
  'format',
  'source',
  'source_content_type',
]);
/** Statuses that invite a retry. */
const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 503]);
/** Headers of the cluster that are passed on. */
const PASSED_HEADERS = ['location', 'warning', 'retry-after'] as const;

export function createProxyRequest(
  call: Call,
  services: Services,
  shared: ProxyServices,
  route: string,
): ProxyRequest {
  const caller = new ClusterCaller(services.principal, shared.catalog);
  return { call, services, caller, ...shared, route };
}

/** Forwards a request and returns the reply. */
export async function forward(request: ProxyRequest, changes: RequestChanges): Promise<Reply> {
  return replyFrom(await request.cluster.request(clusterRequestOf(request, changes)), request.call);
}

/** Forwards a write of documents and publishes its changes; `documents` are noted before it is sent. */
export async function sendWrite(
  request: ProxyRequest,
  changes: Omit<RequestChanges, 'repeatable'>,
  documents: readonly IntendedDocument[] = [],
): Promise<NodeAnswer> {
  const send = (): Promise<NodeAnswer> =>
    request.cluster.request(clusterRequestOf(request, { ...changes, repeatable: false }));
  return await request.changeEvents.write({ documents }, send, changesFromAnswer);
}

/** The request as the cluster gets it. */
export function clusterRequestOf({ call, route }: ProxyRequest, changes: RequestChanges): ClusterRequest {
  const { without = [], params = {}, repeatable } = changes;
  // Cat tables are requested as JSON, so that this server can print them in any format.
  const format = route.startsWith('/_cat') ? (call.params.string('format') ?? 'text') : 'text';
  const shape = format === 'text' ? {} : { format: 'json' };
  const query = queryString(call.queryString, without, { ...shape, ...params });
  const body =
    changes.body === undefined
      ? bodyUnlessBlank(call.body)
      : changes.body instanceof Uint8Array
        ? changes.body
        : Buffer.from(stringifyJson(changes.body), 'utf8');
  return {
    method: changes.method ?? (call.method === 'QUERY' ? 'POST' : call.method),
    path: `${pathOf(route, { ...call.path, ...changes.path }, changes.index)}${query === '' ? '' : `?${query}`}`,
    body,
    contentType: /_bulk$|_msearch(?:\/template)?$/.test(route) ? 'application/x-ndjson' : 'application/json',
    repeatable,
    opaqueId: firstHeader(call.headers['x-opaque-id']),
    signal: repeatable ? call.signal : undefined,
  };
}

/** The clusters reject a body of white space as malformed, so it is not forwarded. */
function bodyUnlessBlank(body: Uint8Array): Uint8Array | undefined {
  return body.some((byte) => byte > 32) ? body : undefined;
}

/** Fills the variables of a route. Indices that the caller did not name are put in front. */
function pathOf(route: string, path: Readonly<Record<string, string>>, index: string | undefined): string {
  const segments = route.split('/').slice(1);
  const parts = segments.map((segment) => {
    if (segment === '{index}' && index !== undefined) return index;
    return segment.startsWith('{') ? pathVariable(segment, path[segment.slice(1, -1)] ?? '') : segment;
  });
  if (index !== undefined && !segments.includes('{index}')) parts.unshift(index);
  return `/${parts.join('/')}`;
}

/** A variable must not lead to another endpoint than the matched one. */
function pathVariable(segment: string, value: string): string {
  const stray =
    segment === '{index}' && value.split(',').some((name) => name.startsWith('_') && name !== '_all');
  if (stray || value === '' || value === '.' || value === '..') {
    throw new EngineError(
      'invalid_index_name_exception',
      `Invalid name [${value}], must not start with '_', be empty, or be '.' or '..'`,
    );
  }
  return encodeSegment(value);
}

function queryString(
  original: string,
  without: readonly string[],
  more: Readonly<Record<string, string>>,
): string {
  const parts = original.split('&').filter((part) => {
    const [name = ''] = part.split('=', 1);
    const plain = decodeURIComponent(name.replaceAll('+', ' '));
    return part !== '' && !OWN_PARAMS.has(plain) && !without.includes(plain);
  });
  for (const [name, value] of Object.entries(more)) parts.push(`${name}=${encodeURIComponent(value)}`);
  return parts.join('&');
}

/** An answer of the cluster as a reply. */
export function replyFrom(answer: NodeAnswer, { method }: Pick<Call, 'method'>, body?: Buffer): Reply {
  const headers: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = firstHeader(answer.headers[name]);
    if (value !== undefined) headers[name] = value;
  }
  // A rejection always says when to retry.
  if (RETRY_STATUSES.has(answer.status)) headers['retry-after'] ??= '1';
  const bytes = body ?? answer.body;
  const base = { status: answer.status, headers };
  if (bytes.length === 0 || method === 'HEAD') return base;
  const isJson = (answer.headers['content-type'] ?? '').includes('json');
  return isJson ? { ...base, body: new RawJson(bytes) } : { ...base, text: bytes.toString('utf8') };
}

/**
 * The reply to an error about the cluster: its own error answer, or that it is unavailable. Rethrows others.
 */
export function failureReply(thrown: unknown, call: Call): Reply {
  if (thrown instanceof ClusterErrorAnswer) return replyFrom(thrown.answer, call);
  if (thrown instanceof EngineError && RETRY_STATUSES.has(thrown.status)) {
    const trace = call.params.has('error_trace') && call.params.string('error_trace') !== 'false';
    const seconds = thrown.type === 'records_moved_exception' ? MOVED_RETRY_SECONDS : '1';
    return { status: thrown.status, body: errorBody(thrown, trace), headers: { 'retry-after': seconds } };
  }
  throw thrown;
}

function firstHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
