// How is everything that matches deleted or written again from here? As the cluster does it: a scroll, page by page; each
// document is changed only if it is still the one that was found. So that every change is told.

import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@octavo/engine';
import { asEngineError, errorObject } from '../../errors/body.ts';
import { newOutcome, type ByQueryOutcome, report } from '../../wire/documents/by-query.ts';
import { isObject } from '../../json/json-body.ts';
import type { Reply } from '../../wire/router/route.ts';
import type { ReplyValue } from '../../json/reply-value.ts';
import { encoded } from '../caller.ts';
import { toldBy } from '../change-events/written-documents.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { readAnswer } from '../client/node-answer.ts';
import type { NodeAnswer } from '../client/send.ts';
import type { Forwarded } from '../forward.ts';
import { endScroll, firstPage, type Found, nextPage } from './query-pages.ts';
import type { QueryPlan } from './query-plan.ts';

/** Bytes of documents that are written at once, about. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Writes that the cluster has no room for are sent again, as it does it itself: so often, after growing pauses. */
const TRIES = 11;
const FIRST_PAUSE_MS = 500;

/** Undefined where nothing was done because the cluster does not begin it: it then says itself why. */
export async function walkQuery(asked: Forwarded, plan: QueryPlan): Promise<Reply | undefined> {
  const started = performance.now();
  const outcome = newOutcome();
  const first = await firstPage(asked, plan);
  if (first === undefined) return undefined;
  outcome.total = Math.min(first.total, plan.most);
  let page = first;
  try {
    for (;;) {
      const room = plan.most - outcome.updated - outcome.deleted;
      const found = page.found.slice(0, room);
      if (found.length === 0) break;
      outcome.batches++;
      for (const chunk of chunksOf(found)) if (!(await change(asked, plan, chunk, outcome))) break;
      if (outcome.failures.length > 0 || outcome.updated + outcome.deleted >= plan.most) break;
      page = await nextPage(asked, plan, page.scrollId);
    }
    if (plan.refreshes && outcome.touched.size > 0)
      await asked.cluster.json({
        ...{ method: 'POST', repeatable: true },
        path: `/${encoded([...outcome.touched].join(','))}/_refresh?ignore_unavailable=true`,
      });
  } catch (error) {
    // What was done stays done: as in the cluster, the answer says that beside what has failed.
    if (!hasBegun(outcome)) throw error;
    const { cause, status } = failureOf(error);
    outcome.failures.push({ status, reason: cause });
  } finally {
    await endScroll(asked, page.scrollId);
  }
  const status = Math.max(200, ...outcome.failures.map((failure) => Number(failure['status'])));
  return {
    ...{ status, headers: status === 429 || status === 503 ? { 'retry-after': '1' } : {} },
    body: report(outcome, Math.round(performance.now() - started), plan.by === 'delete_by_query'),
  };
}

/** True as soon as something has become of a document. */
function hasBegun({ touched, conflicts, failures }: ByQueryOutcome): boolean {
  return touched.size + conflicts + failures.length > 0;
}

/** An error as the answer shows it. */
function failureOf(error: unknown): { readonly status: number; readonly cause: ReplyValue } {
  if (error instanceof ClusterAnswered) {
    const { status, body } = error.answer;
    const said = readAnswer(body);
    if (isObject(said) && isObject(said['error'])) return { status, cause: said['error'] };
  }
  const shown = asEngineError(error);
  return { status: shown.status, cause: errorObject(shown) };
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

/** False where the walk ends with it. */
async function change(
  asked: Forwarded,
  plan: QueryPlan,
  chunk: readonly Found[],
  outcome: ByQueryOutcome,
): Promise<boolean> {
  let left = chunk;
  for (let tries = 0; left.length > 0; tries++) {
    const { items, thrown } = await write(asked, plan, left);
    if (thrown !== undefined && items === undefined && !hasBegun(outcome)) throw thrown;
    const again: Found[] = [];
    const failure = thrown === undefined ? undefined : failureOf(thrown);
    for (const [i, { document }] of left.entries()) {
      const item = items?.[i] ?? {};
      if (item['status'] === 429 && tries < TRIES && thrown === undefined) again.push(left[i]!);
      else if (items !== undefined) record(item, plan, outcome);
      else outcome.failures.push({ index: document.index, id: document.id, ...failure });
    }
    if (failure !== undefined) {
      // They were written; it is something else that failed.
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

/** What became of each, and what has failed; without `items` nobody can say of any. */
async function write(
  { cluster, news }: Forwarded,
  plan: QueryPlan,
  chunk: readonly Found[],
): Promise<{ readonly items?: readonly JsonObject[]; readonly thrown?: unknown }> {
  const end = Buffer.from('\n');
  const params = new URLSearchParams({ ...plan.write });
  let answer: NodeAnswer | undefined;
  let thrown: unknown;
  try {
    await news.write(
      { documents: chunk.map(({ document }) => document) },
      async () => {
        answer = await cluster.ask({
          ...{ method: 'POST', path: `/_bulk?${params}`, contentType: 'application/x-ndjson' },
          body: Buffer.concat(chunk.flatMap(({ lines }) => lines.flatMap((line) => [line, end]))),
          repeatable: false,
        });
        return answer;
      },
      toldBy,
    );
  } catch (error) {
    thrown = error;
  }
  if (answer === undefined) return { thrown };
  if (answer.status >= 400) return { thrown: thrown ?? new ClusterAnswered(answer) };
  const { items } = readAnswer(answer.body) as unknown as { items: Record<string, JsonObject>[] };
  return { items: chunk.map((_, i) => Object.values(items[i] ?? {})[0] ?? {}), thrown };
}

function record(item: JsonObject, plan: QueryPlan, outcome: ByQueryOutcome): void {
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
