// Decides whether this server can perform a query that changes documents with the same result as the cluster:
// no scripts, pipelines, slices or throttling, and nothing that continues after the answer.

import { isObject, type JsonObject } from '@octavo/engine';
import type { QueryChange } from '@octavo/records';
import type { Call } from '../../wire/router/route.ts';

export interface QueryPlan {
  readonly by: 'delete_by_query' | 'update_by_query';
  /** Undefined for all documents. */
  readonly query: JsonObject | undefined;
  /** Documents of one page. */
  readonly size: number;
  readonly maxDocs: number;
  readonly proceeds: boolean;
  readonly refreshes: boolean;
  /** Parameters of the searches and of the writes. */
  readonly searchParams: Readonly<Record<string, string>>;
  readonly writeParams: Readonly<Record<string, string>>;
}

const PAGE = 1_000;
const MOST_IN_PAGE = 10_000;

const OF_SEARCHES = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'preference', 'routing'];
const OF_WRITES = ['timeout', 'wait_for_active_shards'];
const KNOWN: ReadonlySet<string> = new Set([
  ...OF_SEARCHES,
  ...OF_WRITES,
  ...['conflicts', 'max_docs', 'scroll_size', 'scroll', 'refresh', 'wait_for_completion'],
  // Parameters that this server applies to every answer.
  ...['pretty', 'filter_path', 'format', 'error_trace', 'source', 'source_content_type'],
]);
const MEMBERS: ReadonlySet<string> = new Set(['query', 'max_docs', 'conflicts']);

/** Undefined if the cluster must perform the query, or refuse it in its own words. */
export function planByQuery(call: Call, by: QueryChange['by']): QueryPlan | undefined {
  if (by === 'reindex' || by === 'write') return undefined;
  try {
    return readPlan(call, by);
  } catch {
    return undefined;
  }
}

function readPlan(call: Call, by: QueryPlan['by']): QueryPlan | undefined {
  const { params } = call;
  // Such a name would address another endpoint.
  const index = call.path['index'] ?? '';
  if (index.split(',').some((name) => name === '' || (name.startsWith('_') && name !== '_all')))
    return undefined;
  const names = call.queryString
    .split('&')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part.split('=', 1)[0]!.replaceAll('+', ' ')));
  const body = call.object();
  if (!names.every((name) => KNOWN.has(name)) || !Object.keys(body).every((name) => MEMBERS.has(name)))
    return undefined;
  if (params.boolean('wait_for_completion') === false) return undefined;
  const { query, max_docs: inBody } = body;
  if (!(query === undefined ? by === 'update_by_query' : isObject(query))) return undefined;
  if (inBody !== undefined && params.has('max_docs')) return undefined;
  const maxDocs = inBody ?? params.integer('max_docs') ?? Number.MAX_SAFE_INTEGER;
  const size = params.integer('scroll_size') ?? PAGE;
  const conflicts = params.string('conflicts') ?? body['conflicts'] ?? 'abort';
  const isRight =
    typeof maxDocs === 'number' &&
    Number.isSafeInteger(maxDocs) &&
    maxDocs > 0 &&
    size > 0 &&
    size <= MOST_IN_PAGE;
  if (!isRight || (conflicts !== 'abort' && conflicts !== 'proceed')) return undefined;
  const some = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => (params.has(name) ? [[name, params.string(name) ?? '']] : [])),
    );
  return {
    ...{ by, query: query as JsonObject | undefined, maxDocs },
    // Like the cluster: documents of a page beyond `maxDocs` are not visited again, even after conflicts.
    size: conflicts === 'proceed' ? size : Math.min(size, maxDocs),
    proceeds: conflicts === 'proceed',
    refreshes: params.boolean('refresh') === true,
    searchParams: { ...some(OF_SEARCHES), scroll: params.string('scroll') ?? '5m' },
    writeParams: some(OF_WRITES),
  };
}
