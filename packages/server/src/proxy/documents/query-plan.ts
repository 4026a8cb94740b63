// Can this server do by itself what is asked of a query that changes documents? What it knows well enough to give the same
// answer as the cluster: no scripts, pipelines, slices, throttles, nothing that goes on after the answer.

import type { JsonObject } from '@octavo/engine';
import type { QueryChange } from '@octavo/records';
import { isObject } from '../../json/json-body.ts';
import type { Call } from '../../wire/router/route.ts';

/** What is to be done. */
export interface QueryPlan {
  readonly by: 'delete_by_query' | 'update_by_query';
  /** Undefined for all documents. */
  readonly query: JsonObject | undefined;
  /** Documents of a page. */
  readonly size: number;
  readonly most: number;
  readonly proceeds: boolean;
  readonly refreshes: boolean;
  /** Parameters of the searches, and of the writes. */
  readonly search: Readonly<Record<string, string>>;
  readonly write: Readonly<Record<string, string>>;
}

const PAGE = 1_000;
const MOST_IN_PAGE = 10_000;

const OF_SEARCHES = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'preference', 'routing'];
const OF_WRITES = ['timeout', 'wait_for_active_shards'];
const KNOWN: ReadonlySet<string> = new Set([
  ...OF_SEARCHES,
  ...OF_WRITES,
  ...['conflicts', 'max_docs', 'scroll_size', 'scroll', 'refresh', 'wait_for_completion'],
  // What is done with every answer.
  ...['pretty', 'filter_path', 'format', 'error_trace', 'source', 'source_content_type'],
]);
const MEMBERS: ReadonlySet<string> = new Set(['query', 'max_docs', 'conflicts']);

/** Undefined where it is for the cluster, also to refuse it in its own words. */
export function planOf(call: Call, by: QueryChange['by']): QueryPlan | undefined {
  if (by === 'reindex' || by === 'write') return undefined;
  try {
    return planned(call, by);
  } catch {
    return undefined;
  }
}

function planned(call: Call, by: QueryPlan['by']): QueryPlan | undefined {
  const { params } = call;
  // A name of an endpoint leads elsewhere.
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
  const most = inBody ?? params.integer('max_docs') ?? Number.MAX_SAFE_INTEGER;
  const size = params.integer('scroll_size') ?? PAGE;
  const conflicts = params.string('conflicts') ?? body['conflicts'] ?? 'abort';
  const isRight =
    typeof most === 'number' && Number.isSafeInteger(most) && most > 0 && size > 0 && size <= MOST_IN_PAGE;
  if (!isRight || (conflicts !== 'abort' && conflicts !== 'proceed')) return undefined;
  const some = (wanted: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      wanted.flatMap((name) => (params.has(name) ? [[name, params.string(name) ?? '']] : [])),
    );
  return {
    ...{ by, query: query as JsonObject | undefined, most },
    // As the cluster does it: what a page holds beyond `most` is not come back to, whatever conflicts there were.
    size: conflicts === 'proceed' ? size : Math.min(size, most),
    proceeds: conflicts === 'proceed',
    refreshes: params.boolean('refresh') === true,
    search: { ...some(OF_SEARCHES), scroll: params.string('scroll') ?? '5m' },
    write: some(OF_WRITES),
  };
}
