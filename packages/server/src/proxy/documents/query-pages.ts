// The documents a query changes: a scroll of the cluster. Each hit comes with the `_bulk` lines that change
// it, pinned to the version that was found.

import { type JsonObject, stringifyJson } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { parseAnswer } from '../client/node-answer.ts';
import { AnswerTooLarge, ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { elementsAt, membersAt, wholeRange } from '../client/raw-json.ts';
import type { NodeAnswer } from '../client/send.ts';
import { encodeSegment } from '../request/cluster-caller.ts';
import type { ProxyRequest } from '../request/forward.ts';
import { joinBulkLines } from './fetched-documents.ts';
import type { QueryPlan } from './query-plan.ts';

/** Too large a page is requested again with this many times fewer documents. */
const SMALLER = 10;
/** At the start of an answer. */
const SCROLL_ID = /"_scroll_id" ?: ?"([^"]+)"/;

/** A matching document and the bulk lines that change it. */
export interface QueryHit {
  readonly document: IntendedDocument;
  readonly lines: readonly Uint8Array[];
}

/** One page of matching documents. */
interface QueryPage {
  /** Undefined if there is no index to search. */
  readonly scrollId: string | undefined;
  readonly total: number;
  readonly hits: readonly QueryHit[];
  /** False if documents lack the source that is to be written. */
  readonly isComplete: boolean;
}

/**
 * Opens the scroll and returns its first page, with fewer documents if they are too large. Undefined if the
 * cluster refuses the search, if the index stores no sources to write again, or if one document is too large.
 */
export async function openQueryScroll(
  request: ProxyRequest,
  plan: QueryPlan,
): Promise<QueryPage | undefined> {
  const { cluster, call } = request;
  const params = new URLSearchParams({ ...plan.searchParams, allow_partial_search_results: 'false' });
  for (let { size } = plan; size >= 1; size = Math.floor(size / SMALLER)) {
    const body: JsonObject = {
      ...(plan.query === undefined ? {} : { query: plan.query }),
      ...{ size, sort: ['_doc'], seq_no_primary_term: true, track_total_hits: true },
      _source: plan.by === 'update_by_query',
    };
    try {
      const answer = await cluster.request({
        ...{ method: 'POST', path: `/${encodeSegment(call.path['index'] ?? '')}/_search?${params}` },
        ...{ body: bytesOf(body), repeatable: true },
      });
      if (answer.status >= 400) return undefined;
      const page = pageOf(answer, plan);
      if (page.isComplete) return page;
      await closeQueryScroll(request, page.scrollId);
      return undefined;
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error;
      await closeQueryScroll(request, SCROLL_ID.exec(error.head.toString('utf8'))?.[1]);
      if (error.type !== 'content_too_long_exception') throw error;
    }
  }
  return undefined;
}

export async function nextQueryPage(
  { cluster }: ProxyRequest,
  plan: QueryPlan,
  scrollId: string | undefined,
): Promise<QueryPage> {
  if (scrollId === undefined) return { scrollId, total: 0, hits: [], isComplete: true };
  const answer = await cluster.request({
    ...{ method: 'POST', path: '/_search/scroll', repeatable: false },
    body: bytesOf({ scroll: plan.searchParams['scroll']!, scroll_id: scrollId }),
  });
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  return pageOf(answer, plan);
}

/** Closes the scroll early; otherwise it would expire. */
export async function closeQueryScroll(
  { cluster }: ProxyRequest,
  scrollId: string | undefined,
): Promise<void> {
  if (scrollId === undefined) return;
  const body = bytesOf({ scroll_id: scrollId });
  await cluster
    .request({ method: 'DELETE', path: '/_search/scroll', body, repeatable: true })
    .catch(() => {});
}

function pageOf({ body: bytes }: NodeAnswer, plan: QueryPlan): QueryPage {
  const whole = membersAt(bytes, wholeRange(bytes));
  const hits = membersAt(bytes, whole.get('hits')!);
  const total = parseAnswer(slice(bytes, hits.get('total'))) as unknown as { value: number };
  const list = hits.get('hits');
  const scroll = whole.get('_scroll_id');
  let isComplete = true;
  const page = {
    scrollId: scroll === undefined ? undefined : (parseAnswer(slice(bytes, scroll)) as string),
    total: total.value,
    hits: (list === undefined ? [] : elementsAt(bytes, list)).map((range): QueryHit => {
      const members = membersAt(bytes, range);
      const value = (name: string) => {
        const at = members.get(name);
        return at === undefined ? undefined : parseAnswer(slice(bytes, at));
      };
      const [index, id, routing] = [String(value('_index')), String(value('_id')), value('_routing')];
      const by = typeof routing === 'string' ? { routing } : {};
      const kind = plan.by === 'delete_by_query' ? 'delete' : 'index';
      const pinned = { if_seq_no: value('_seq_no')!, if_primary_term: value('_primary_term')! };
      const head = bytesOf({ [kind]: { _index: index, _id: id, ...by, ...pinned } });
      const source = kind === 'delete' ? [] : [joinBulkLines(slice(bytes, members.get('_source')))];
      if (source.some((line) => line.length === 0)) isComplete = false;
      return { document: { kind, index, id, ...by }, lines: [head, ...source] };
    }),
  };
  return { ...page, isComplete };
}

function slice(
  bytes: Uint8Array,
  at: { readonly start: number; readonly end: number } | undefined,
): Uint8Array {
  return at === undefined ? new Uint8Array(0) : bytes.subarray(at.start, at.end);
}

function bytesOf(value: JsonObject): Buffer {
  return Buffer.from(stringifyJson(value), 'utf8');
}
