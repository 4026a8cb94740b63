// What a change by query has done so far, and how replies and tasks print it.

import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';

export interface ByQueryOutcome {
  total: number;
  created: number;
  updated: number;
  deleted: number;
  batches: number;
  conflicts: number;
  noops: number;
  readonly failures: ReplyObject[];
  readonly touched: Set<string>;
  /** Writes that were repeated. */
  retries: number;
}

/** How fast a change goes, as replies print it. */
export interface PaceFigures {
  /** Documents each second; -1 without a limit. */
  readonly perSecond: number;
  /** Milliseconds waited so far. */
  readonly waitedMs: number;
  /** Milliseconds that are left of a wait. */
  readonly leftMs: number;
}

const NO_LIMIT: PaceFigures = { perSecond: -1, waitedMs: 0, leftMs: 0 };

/** Which changes an operation can make at all; replies have no other counts. */
export interface ReportedCounts {
  readonly created: boolean;
  readonly updated: boolean;
}

/** An outcome before the first page. */
export function newOutcome(): ByQueryOutcome {
  return {
    total: 0,
    created: 0,
    updated: 0,
    deleted: 0,
    batches: 0,
    conflicts: 0,
    noops: 0,
    failures: [],
    touched: new Set(),
    retries: 0,
  };
}

/** The counts, as `status` of a task has them. */
export function progress(
  outcome: ByQueryOutcome,
  { created, updated }: ReportedCounts,
  pace: PaceFigures = NO_LIMIT,
  isCancelled = false,
): ReplyObject {
  return {
    total: outcome.total,
    updated: updated ? outcome.updated : undefined,
    created: created ? outcome.created : undefined,
    deleted: outcome.deleted,
    batches: outcome.batches,
    version_conflicts: outcome.conflicts,
    noops: outcome.noops,
    retries: { bulk: outcome.retries, search: 0 },
    throttled_millis: Math.round(pace.waitedMs),
    requests_per_second: double(pace.perSecond),
    canceled: isCancelled ? 'by user request' : undefined,
    throttled_until_millis: Math.round(pace.leftMs),
  };
}

/** The body of a reply with these counts. */
export function report(outcome: ByQueryOutcome, took: number, counts: ReplyObject): ReplyObject {
  return { took, timed_out: false, ...counts, failures: outcome.failures };
}
