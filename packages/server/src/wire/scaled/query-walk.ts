// How is everything that matches deleted or written again from here? As the cluster does it: a scroll, page by page; each
// document is changed only if it is still the one that was found. So that every change is told.

import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, stringifyJson } from '@octavo/engine';
import type { IntendedDocument } from '@octavo/records';
import { newOutcome, type Outcome, report } from '../by-query.ts';
import { isObject } from '../json-body.ts';
import type { Reply } from '../route.ts';
import { encoded } from './caller.ts';
import { ClusterAnswered } from './cluster.ts';
import type { Forwarded } from './forward.ts';
import { readAnswer } from './genuine.ts';
import { oneLine } from './held.ts';
import type { QueryPlan } from './query-plan.ts';
import { elementsAt, membersAt, wholeOf } from './raw.ts';
import type { NodeAnswer } from './send.ts';
import { toldBy } from './written.ts';

/** Bytes of documents that are written at once, about. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Writes that the cluster has no room for are sent again, as it does it itself: so often, after growing pauses. */
const TRIES = 11;
const FIRST_PAUSE_MS = 500;

/** A document that was found, with the line that changes it. */
interface Found {
  readonly document: IntendedDocument;
  readonly lines: readonly Uint8Array[];
}

interface Page {
  readonly scrollId: string;
  readonly total: number;
  readonly found: readonly Found[];
  /** False where documents lack what is to be written. */
  readonly isWhole: boolean;
}

/** Undefined where nothing was done because the cluster does not begin it: it then says itself why. */
export async function walkQuery(asked: Forwarded, plan: QueryPlan): Promise<Reply | undefined> {
  const started = performance.now();
  const outcome = newOutcome();
  const first = await begin(asked, plan);
  if (first === undefined) return undefined;
  outcome.total = Math.min(first.total, plan.most);
  let page = first;
  try {
    for (;;) {
      const room = plan.most - outcome.updated - outcome.deleted;
      const found = page.found.slice(0, room);
      if (found.length === 0) break;
      outcome.batches++;
      for (const chunk of chunksOf(found)) await change(asked, plan, chunk, outcome);
      if (outcome.failures.length > 0 || outcome.updated + outcome.deleted >= plan.most) break;
      page = await next(asked, plan, page.scrollId);
    }
  } finally {
    await end(asked, page.scrollId);
  }
  if (plan.refreshes && outcome.touched.size > 0)
    await asked.cluster.json({
      ...{ method: 'POST', repeatable: true },
      path: `/${encoded([...outcome.touched].join(','))}/_refresh?ignore_unavailable=true`,
    });
  return {
    status: Math.max(200, ...outcome.failures.map(({ status }) => Number(status))),
    body: report(outcome, Math.round(performance.now() - started), plan.by === 'delete_by_query'),
  };
}

/** The first page; undefined where the cluster refuses it, or keeps no sources that could be written again. */
async function begin(asked: Forwarded, plan: QueryPlan): Promise<Page | undefined> {
  const { cluster, call } = asked;
  const body: JsonObject = {
    ...(plan.query === undefined ? {} : { query: plan.query }),
    ...{ size: plan.size, sort: ['_doc'], seq_no_primary_term: true, track_total_hits: true },
    _source: plan.by === 'update_by_query',
  };
  const params = new URLSearchParams({ ...plan.search, allow_partial_search_results: 'false' });
  const answer = await cluster.ask({
    ...{ method: 'POST', path: `/${encoded(call.path['index'] ?? '')}/_search?${params}` },
    ...{ body: bytesOf(body), repeatable: true },
  });
  if (answer.status >= 400) return undefined;
  const page = pageOf(answer, plan);
  if (page.isWhole) return page;
  await end(asked, page.scrollId);
  return undefined;
}

async function next({ cluster }: Forwarded, plan: QueryPlan, scrollId: string): Promise<Page> {
  const answer = await cluster.ask({
    ...{ method: 'POST', path: '/_search/scroll', repeatable: false },
    body: bytesOf({ scroll: plan.search['scroll']!, scroll_id: scrollId }),
  });
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  return pageOf(answer, plan);
}

/** It would end by itself, later. */
async function end({ cluster }: Forwarded, scrollId: string): Promise<void> {
  const body = bytesOf({ scroll_id: scrollId });
  await cluster.ask({ method: 'DELETE', path: '/_search/scroll', body, repeatable: true }).catch(() => {});
}

function pageOf({ body: bytes }: NodeAnswer, plan: QueryPlan): Page {
  const whole = membersAt(bytes, wholeOf(bytes));
  const hits = membersAt(bytes, whole.get('hits')!);
  const total = readAnswer(slice(bytes, hits.get('total'))) as unknown as { value: number };
  const list = hits.get('hits');
  let isWhole = true;
  const page = {
    scrollId: readAnswer(slice(bytes, whole.get('_scroll_id'))) as string,
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

/** Pages of large documents in several writes. */
function* chunksOf(found: readonly Found[]): Generator<readonly Found[]> {
  let chunk: Found[] = [];
  let size = 0;
  for (const each of found) {
    chunk.push(each);
    size += each.lines.reduce((sum, line) => sum + line.length, 0);
    if (size < CHUNK_BYTES) continue;
    yield chunk;
    chunk = [];
    size = 0;
  }
  if (chunk.length > 0) yield chunk;
}

async function change(
  asked: Forwarded,
  plan: QueryPlan,
  chunk: readonly Found[],
  outcome: Outcome,
): Promise<void> {
  let left = chunk;
  for (let tries = 0; left.length > 0; tries++) {
    const items = await write(asked, plan, left);
    const again: Found[] = [];
    for (const [i, item] of items.entries())
      if (item['status'] === 429 && tries < TRIES) again.push(left[i]!);
      else record(item, plan, outcome);
    left = again;
    if (left.length === 0) return;
    outcome.retries++;
    await sleep(FIRST_PAUSE_MS * 2 ** Math.min(tries, 6));
  }
}

/** What became of each. */
async function write(
  { cluster, news }: Forwarded,
  plan: QueryPlan,
  chunk: readonly Found[],
): Promise<JsonObject[]> {
  const end = Buffer.from('\n');
  const params = new URLSearchParams({ ...plan.write });
  const answer = await news.write(
    { documents: chunk.map(({ document }) => document) },
    () =>
      cluster.ask({
        ...{ method: 'POST', path: `/_bulk?${params}`, contentType: 'application/x-ndjson' },
        body: Buffer.concat(chunk.flatMap(({ lines }) => lines.flatMap((line) => [line, end]))),
        repeatable: false,
      }),
    toldBy,
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const { items } = readAnswer(answer.body) as unknown as { items: Record<string, JsonObject>[] };
  return chunk.map((_, i) => Object.values(items[i] ?? {})[0] ?? {});
}

function record(item: JsonObject, plan: QueryPlan, outcome: Outcome): void {
  const { error, result, status } = item;
  if (!isObject(error)) {
    outcome.touched.add(String(item['_index']));
    if (result === 'deleted') outcome.deleted++;
    else if (result === 'updated' || result === 'created') outcome.updated++;
    else outcome.noops++;
    return;
  }
  const isConflict = status === 409;
  if (isConflict) outcome.conflicts++;
  if (isConflict && plan.proceeds) return;
  outcome.failures.push({
    ...{ index: String(item['_index']), id: String(item['_id']) },
    ...{ cause: error, status: Number(status) },
  });
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
