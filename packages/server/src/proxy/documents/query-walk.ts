// Performs `_delete_by_query` or `_update_by_query` from here, so that every change is published. Like the
// cluster it scrolls through the matches and changes a document only if it is still the version that was
// found.

import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '@octavo/engine';
import { asEngineError, errorObject } from '../../errors/error-body.ts';
import type { ReplyValue } from '../../json/reply-value.ts';
import type { ByQueryOutcome } from '../../wire/by-query/query-outcome.ts';
import { newOutcome, progress, report } from '../../wire/by-query/query-outcome.ts';
import type { Reply } from '../../wire/router/route.ts';
import { changesFromAnswer } from '../change-events/written-documents.ts';
import { parseAnswer } from '../client/node-answer.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import type { NodeAnswer } from '../client/send.ts';
import { encodeSegment } from '../request/cluster-caller.ts';
import type { ProxyRequest } from '../request/forward.ts';
import { closeQueryScroll, nextQueryPage, openQueryScroll, type QueryHit } from './query-pages.ts';
import type { QueryPlan } from './query-plan.ts';

/** Bytes of documents in one write, about. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/**
 * Writes that the cluster rejects with 429 are repeated this often, with growing pauses, as the cluster does
 * itself.
 */
const MAX_RETRIES = 11;
const FIRST_PAUSE_MS = 500;

/** Undefined if the cluster does not begin the query; nothing was done, and the cluster will say why. */
export async function walkQuery(request: ProxyRequest, plan: QueryPlan): Promise<Reply | undefined> {
  const started = performance.now();
  const outcome = newOutcome();
  const first = await openQueryScroll(request, plan);
  if (first === undefined) return undefined;
  outcome.total = Math.min(first.total, plan.maxDocs);
  let page = first;
  try {
    for (;;) {
      const room = plan.maxDocs - outcome.updated - outcome.deleted;
      const found = page.hits.slice(0, room);
      if (found.length === 0) break;
      outcome.batches++;
      for (const chunk of chunksOf(found)) if (!(await changeDocuments(request, plan, chunk, outcome))) break;
      if (outcome.failures.length > 0 || outcome.updated + outcome.deleted >= plan.maxDocs) break;
      page = await nextQueryPage(request, plan, page.scrollId);
    }
    if (plan.refreshes && outcome.touched.size > 0)
      await request.cluster.requestJson({
        ...{ method: 'POST', repeatable: true },
        path: `/${encodeSegment([...outcome.touched].join(','))}/_refresh?ignore_unavailable=true`,
      });
  } catch (error) {
    // Changes that were made stay. Like the cluster, the reply shows them beside the failure.
    if (!hasBegun(outcome)) throw error;
    const { cause, status } = failureOf(error);
    outcome.failures.push({ status, reason: cause });
  } finally {
    await closeQueryScroll(request, page.scrollId);
  }
  const status = Math.max(200, ...outcome.failures.map((failure) => Number(failure['status'])));
  return {
    ...{ status, headers: status === 429 || status === 503 ? { 'retry-after': '1' } : {} },
    body: report(
      outcome,
      Math.round(performance.now() - started),
      progress(outcome, { created: false, updated: plan.by !== 'delete_by_query' }),
    ),
  };
}

/** True once any document was changed or failed. */
function hasBegun({ touched, conflicts, failures }: ByQueryOutcome): boolean {
  return touched.size + conflicts + failures.length > 0;
}

/** An error as a reply shows it. */
function failureOf(error: unknown): { readonly status: number; readonly cause: ReplyValue } {
  if (error instanceof ClusterErrorAnswer) {
    const { status, body } = error.answer;
    const said = parseAnswer(body);
    if (isObject(said) && isObject(said['error'])) return { status, cause: said['error'] };
  }
  const shown = asEngineError(error);
  return { status: shown.status, cause: errorObject(shown) };
}

/** Splits a page of large documents into several writes. */
function* chunksOf(found: readonly QueryHit[]): Generator<readonly QueryHit[]> {
  let chunk: QueryHit[] = [];
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

/** Changes some documents; false if that ends the walk. */
async function changeDocuments(
  request: ProxyRequest,
  plan: QueryPlan,
  chunk: readonly QueryHit[],
  outcome: ByQueryOutcome,
): Promise<boolean> {
  let left = chunk;
  for (let tries = 0; left.length > 0; tries++) {
    const { items, thrown } = await writeDocuments(request, plan, left);
    if (thrown !== undefined && items === undefined && !hasBegun(outcome)) throw thrown;
    const again: QueryHit[] = [];
    const failure = thrown === undefined ? undefined : failureOf(thrown);
    for (const [i, { document }] of left.entries()) {
      const item = items?.[i] ?? {};
      if (item['status'] === 429 && tries < MAX_RETRIES && thrown === undefined) again.push(left[i]!);
      else if (items !== undefined) countItem(item, plan, outcome);
      else outcome.failures.push({ index: document.index, id: document.id, ...failure });
    }
    if (failure !== undefined) {
      // The documents were written, and something else failed.
      if (items !== undefined) outcome.failures.push({ status: failure.status, reason: failure.cause });
      return false;
    }
    left = again;
    if (left.length === 0) return true;
    outcome.retries++;
    await sleep(FIRST_PAUSE_MS * 2 ** Math.min(tries, 6));
  }
  return true;
}

/** Writes documents and returns their items. Without `items`, the outcome of all of them is unknown. */
async function writeDocuments(
  { cluster, changeEvents }: ProxyRequest,
  plan: QueryPlan,
  chunk: readonly QueryHit[],
): Promise<{ readonly items?: readonly JsonObject[]; readonly thrown?: unknown }> {
  const end = Buffer.from('\n');
  const params = new URLSearchParams({ ...plan.writeParams });
  let answer: NodeAnswer | undefined;
  let thrown: unknown;
  try {
    await changeEvents.write(
      { documents: chunk.map(({ document }) => document) },
      async () => {
        answer = await cluster.request({
          ...{ method: 'POST', path: `/_bulk?${params}`, contentType: 'application/x-ndjson' },
          body: Buffer.concat(chunk.flatMap(({ lines }) => lines.flatMap((line) => [line, end]))),
          repeatable: false,
        });
        return answer;
      },
      changesFromAnswer,
    );
  } catch (error) {
    thrown = error;
  }
  if (answer === undefined) return { thrown };
  if (answer.status >= 400) return { thrown: thrown ?? new ClusterErrorAnswer(answer) };
  const { items } = parseAnswer(answer.body) as unknown as { items: Record<string, JsonObject>[] };
  return { items: chunk.map((_, i) => Object.values(items[i] ?? {})[0] ?? {}), thrown };
}

function countItem(item: JsonObject, plan: QueryPlan, outcome: ByQueryOutcome): void {
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
