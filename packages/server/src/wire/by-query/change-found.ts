// The loop of all changes by query: takes pages of documents, makes a write of each, and counts what became of them.

import { type Engine, FailedScriptError, Turn, type WriteOp } from '@octavo/engine';
import { errorObject } from '../../errors/error-body.ts';
import { withIndex } from '../documents/write-reply.ts';
import type { FoundDocument, FoundPages } from '../router/document-pages.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import type { RunningTask, TaskSpec } from '../router/task-log.ts';
import { replyOfTask } from '../router/task-reply.ts';
import { Pace } from './pace.ts';
import { type ByQueryOutcome, newOutcome, progress, type ReportedCounts, report } from './query-outcome.ts';

/** The members and parameters that all changes by query share. */
export interface ByQueryOptions {
  readonly proceedsOnConflict: boolean;
  /** The highest number of documents to change. */
  readonly maxDocs: number;
  /** Documents of a page. */
  readonly size: number;
  /** Documents each second; -1 without a limit. */
  readonly perSecond: number;
  readonly refreshes: boolean;
}

/** One change by query. */
export interface ByQueryPlan extends ByQueryOptions {
  readonly task: Omit<TaskSpec, 'isCancellable'>;
  readonly counts: ReportedCounts;
  readonly open: (signal: AbortSignal) => FoundPages | Promise<FoundPages>;
  /** The write for a document; undefined if nothing is done. Throws to end the whole change. */
  readonly change: (document: FoundDocument) => WriteOp | undefined;
}

/** Runs a change as a task of its caller, and replies with what it has done. */
export async function changeFound(call: Call, services: Services, plan: ByQueryPlan): Promise<Reply> {
  const started = performance.now();
  const isAttended = call.params.boolean('wait_for_completion') !== false;
  return await replyOfTask(call, services, { ...plan.task, isCancellable: true }, async (task, signal) => {
    const outcome = newOutcome();
    const pace = new Pace(plan.perSecond);
    const all: ReportedCounts = { created: true, updated: true };
    task.status = () => progress(outcome, all, pace.figures, task.signal.aborted);
    task.rethrottle = (perSecond) => pace.change(perSecond);
    const pages = await plan.open(signal);
    try {
      await changePages(services, plan, { pages, pace, task, outcome });
    } catch (error) {
      // A cancel stops the search for a page with an error.
      if (!task.signal.aborted) throw error;
    } finally {
      await pages.close();
    }
    if (plan.refreshes && outcome.touched.size > 0)
      await services.engine.indices.refresh([...outcome.touched]);
    const took = Math.round(performance.now() - started);
    const counts = isAttended ? plan.counts : all;
    return {
      // The highest status of the failures, as with the peer: a full disk counts more than a conflict.
      status: Math.max(200, ...outcome.failures.map((failure) => Number(failure['status']))),
      body: report(outcome, took, progress(outcome, counts, pace.figures, task.signal.aborted)),
    };
  });
}

/** One run of a change. */
interface ChangeRun {
  readonly pages: FoundPages;
  readonly pace: Pace;
  readonly task: RunningTask;
  readonly outcome: ByQueryOutcome;
}

/** Changes page after page until there is no more, a write has failed, or the task is cancelled. */
export async function changePages(
  { engine }: Services,
  plan: Pick<ByQueryPlan, 'maxDocs' | 'size' | 'proceedsOnConflict' | 'change'>,
  { pages, pace, task: { signal }, outcome }: ChangeRun,
): Promise<void> {
  for (let left = plan.maxDocs; left > 0 && !signal.aborted; ) {
    const size = Math.min(plan.size, left);
    const startedAt = performance.now();
    const { total, documents, more } = await pages.next(size, pace.millisFor(size));
    outcome.total = Math.min(total, plan.maxDocs);
    if (documents.length === 0 || signal.aborted) return;
    outcome.batches++;
    const ops = await changesOf(documents, plan.change);
    outcome.noops += documents.length - ops.length;
    const results = ops.length === 0 ? [] : await engine.write(ops);
    for (const result of results) record(engine, result, plan.proceedsOnConflict, outcome);
    left -= documents.length;
    if (outcome.failures.length > 0 || !more) return;
    if (left > 0) await pace.wait(documents.length, startedAt, signal);
  }
}

async function changesOf(
  documents: readonly FoundDocument[],
  change: ByQueryPlan['change'],
): Promise<WriteOp[]> {
  const ops: WriteOp[] = [];
  const turn = new Turn();
  for (const document of documents) {
    const op = change(document);
    if (op !== undefined) ops.push(op);
    if (turn.isOver()) await turn.next();
  }
  return ops;
}

function record(
  engine: Engine,
  result: Awaited<ReturnType<Engine['write']>>[number],
  proceed: boolean,
  outcome: ByQueryOutcome,
): void {
  if (result.error === undefined) {
    outcome.touched.add(result.index);
    // A delete counts also where the document was gone already, as with the peer.
    if (result.result === 'deleted' || result.result === 'not_found') outcome.deleted++;
    else if (result.result === 'created') outcome.created++;
    else if (result.result === 'updated') outcome.updated++;
    else outcome.noops++;
    return;
  }
  // A mistake of the script is one of the request, not of a document.
  if (result.error instanceof FailedScriptError) throw result.error.causedBy ?? result.error;
  const conflict = result.error.type === 'version_conflict_engine_exception';
  if (conflict) outcome.conflicts++;
  if (conflict && proceed) return;
  outcome.failures.push({
    index: result.index,
    id: result.id,
    cause: errorObject(withIndex(result.error, engine, result.index)),
    status: result.error.status,
  });
}
