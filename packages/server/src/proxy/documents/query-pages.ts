// What is there for a query to change? A scroll of the cluster, page by page: each document with the line of a `_bulk` that
// changes it, and only if it is still the one that was found.

import { type JsonObject, stringifyJson } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { ClusterAnswered, NotTaken } from '../client/cluster.ts';
import { readAnswer } from '../client/node-answer.ts';
import { elementsAt, membersAt, wholeOf } from '../client/raw-json.ts';
import type { NodeAnswer } from '../client/send.ts';
import { encoded } from '../request/cluster-caller.ts';
import type { Forwarded } from '../request/forward.ts';
import { oneLine } from './fetched-documents.ts';
import type { QueryPlan } from './query-plan.ts';

/** Pages that are too large are asked for again with so many times fewer documents. */
const SMALLER = 10;
/** In the beginning of an answer. */
const SCROLL_ID = /"_scroll_id" ?: ?"([^"]+)"/;

/** A document that was found, with the line that changes it. */
export interface Found {
  readonly document: IntendedDocument;
  readonly lines: readonly Uint8Array[];
}

/** What was found at once. */
export interface Page {
  /** None where there is no index to look in. */
  readonly scrollId: string | undefined;
  readonly total: number;
  readonly found: readonly Found[];
  /** False where documents lack what is to be written. */
  readonly isWhole: boolean;
}

/**
 * The first page, of fewer documents where they are too large to be taken; undefined where the cluster refuses it, or keeps no
 * sources that could be written again, or where one document is too large.
 */
export async function firstPage(asked: Forwarded, plan: QueryPlan): Promise<Page | undefined> {
  const { cluster, call } = asked;
  const params = new URLSearchParams({ ...plan.search, allow_partial_search_results: 'false' });
  for (let { size } = plan; size >= 1; size = Math.floor(size / SMALLER)) {
    const body: JsonObject = {
      ...(plan.query === undefined ? {} : { query: plan.query }),
      ...{ size, sort: ['_doc'], seq_no_primary_term: true, track_total_hits: true },
      _source: plan.by === 'update_by_query',
    };
    try {
      const answer = await cluster.ask({
        ...{ method: 'POST', path: `/${encoded(call.path['index'] ?? '')}/_search?${params}` },
        ...{ body: bytesOf(body), repeatable: true },
      });
      if (answer.status >= 400) return undefined;
      const page = pageOf(answer, plan);
      if (page.isWhole) return page;
      await endScroll(asked, page.scrollId);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error;
      await endScroll(asked, SCROLL_ID.exec(error.head.toString('utf8'))?.[1]);
      if (error.type !== 'content_too_long_exception') throw error;
    }
  }
  return undefined;
}

/** The page behind it. */
export async function nextPage(
  { cluster }: Forwarded,
  plan: QueryPlan,
  scrollId: string | undefined,
): Promise<Page> {
  if (scrollId === undefined) return { scrollId, total: 0, found: [], isWhole: true };
  const answer = await cluster.ask({
    ...{ method: 'POST', path: '/_search/scroll', repeatable: false },
    body: bytesOf({ scroll: plan.search['scroll']!, scroll_id: scrollId }),
  });
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  return pageOf(answer, plan);
}

/** Ends the scroll of a page: it would end by itself, later. */
export async function endScroll({ cluster }: Forwarded, scrollId: string | undefined): Promise<void> {
  if (scrollId === undefined) return;
  const body = bytesOf({ scroll_id: scrollId });
  await cluster.ask({ method: 'DELETE', path: '/_search/scroll', body, repeatable: true }).catch(() => {});
}

function pageOf({ body: bytes }: NodeAnswer, plan: QueryPlan): Page {
  const whole = membersAt(bytes, wholeOf(bytes));
  const hits = membersAt(bytes, whole.get('hits')!);
  const total = readAnswer(slice(bytes, hits.get('total'))) as unknown as { value: number };
  const list = hits.get('hits');
  const scroll = whole.get('_scroll_id');
  let isWhole = true;
  const page = {
    scrollId: scroll === undefined ? undefined : (readAnswer(slice(bytes, scroll)) as string),
    total: total.value,
    found: (list === undefined ? [] : elementsAt(bytes, list)).map((range): Found => {
      const members = membersAt(bytes, range);
      const value = (name: string) => {
        const at = members.get(name);
        return at === undefined ? undefined : readAnswer(slice(bytes, at));
      };
      const [index, id, routing] = [String(value('_index')), String(value('_id')), value('_routing')];
      const by = typeof routing === 'string' ? { routing } : {};
      const kind = plan.by === 'delete_by_query' ? 'delete' : 'index';
      const pinned = { if_seq_no: value('_seq_no')!, if_primary_term: value('_primary_term')! };
      const head = bytesOf({ [kind]: { _index: index, _id: id, ...by, ...pinned } });
      const source = kind === 'delete' ? [] : [oneLine(slice(bytes, members.get('_source')))];
      if (source.some((line) => line.length === 0)) isWhole = false;
      return { document: { kind, index, id, ...by }, lines: [head, ...source] };
    }),
  };
  return { ...page, isWhole };
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
