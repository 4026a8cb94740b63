// How do calls and answers look on their way between threads? As runs: neighbours of one operation cross together, packed as
// columns where the operation can do that, since the names and shapes of objects cost more than what they hold.

import type { Thrown } from '../../contracts/failures.ts';
import type { AnyOperation, Packing, Plain, WriteOptions } from '../../contracts/operation.ts';
import type { Answer, Call, PackedAnswers } from './messages.ts';

/** What must be known of an operation whose calls cross. */
export interface CrossingOperation {
  readonly name: string;
  readonly packing?: Packing<unknown, unknown>;
}

/** A call that is on its way out. */
export interface Outgoing {
  readonly id: number;
  readonly operation: CrossingOperation;
  readonly args: unknown;
  readonly options: WriteOptions | undefined;
}

/** Calls of one operation with ids one behind the other; `args` is packed where the operation packs. */
export type CallRun = readonly [
  name: string,
  firstId: number,
  count: number,
  args: unknown,
  options: readonly (WriteOptions | undefined)[] | undefined,
];

/** Answers with ids one behind the other: packed results, or else what became of each. */
export type AnswerRun = readonly [
  firstId: number,
  count: number,
  packed: Plain,
  each: readonly Fate[] | undefined,
];

export type Fate = readonly [thrown: Thrown | undefined, result: unknown, replayed: boolean];

/** Calls that run as one group, so that the first of them does not wait for ever. */
export const MOST_IN_GROUP = 2_048;

/** Calls as they are sent. O(calls). */
export function callRuns(calls: readonly Outgoing[]): CallRun[] {
  return runsOf(calls, (a, b) => a.operation === b.operation, MOST_IN_GROUP).map((run) => {
    const { id, operation } = run[0]!;
    const args = run.map((call) => call.args);
    const options = run.some((call) => call.options !== undefined)
      ? run.map((call) => call.options)
      : undefined;
    return [operation.name, id, run.length, operation.packing?.packArgs(args) ?? args, options];
  });
}

/** Calls as they were. */
export function callsOf(runs: readonly CallRun[], operations: ReadonlyMap<string, AnyOperation>): Call[] {
  return runs.flatMap(([name, firstId, count, crossed, options]) => {
    const packing = packingOf(operations, name);
    const args = packing === undefined ? (crossed as unknown[]) : packing.unpackArgs(crossed as Plain);
    return Array.from({ length: count }, (_, i) => ({
      id: firstId + i,
      name,
      args: args[i],
      options: options?.[i],
    }));
  });
}

interface Answered {
  readonly id: number;
  readonly answer: Answer;
  /** Undefined where the answer crosses as it is. */
  readonly packing: Packing<unknown, unknown> | undefined;
}

/**
 * Answers to `calls` as they are sent. Those of two runs of calls never share one: operations may have a name in common, and
 * the caller unpacks by its own.
 */
export function answerRuns(
  calls: readonly CallRun[],
  answers: readonly (Answer | PackedAnswers)[],
  operations: ReadonlyMap<string, AnyOperation>,
): AnswerRun[] {
  const starts = new Set(calls.map(([, firstId]) => firstId));
  const runs: AnswerRun[] = [];
  let single: Answer[] = [];
  const flush = (): void => {
    if (single.length > 0) runs.push(...singleRuns(single, operations, starts));
    single = [];
  };
  for (const answer of answers) {
    if (!('packed' in answer)) {
      single.push(answer);
      continue;
    }
    flush();
    runs.push([answer.id, answer.count, answer.packed, undefined]);
  }
  flush();
  return runs;
}

function singleRuns(
  answers: readonly Answer[],
  operations: ReadonlyMap<string, AnyOperation>,
  starts: ReadonlySet<number>,
): AnswerRun[] {
  const all = answers.map((answer): Answered => {
    const fresh = answer.thrown === undefined && !answer.replayed;
    return { id: answer.id, answer, packing: fresh ? packingOf(operations, answer.name) : undefined };
  });
  return runsOf(all, (a, b) => a.packing === b.packing && !starts.has(b.id)).map((run): AnswerRun => {
    const { id, packing } = run[0]!;
    if (packing !== undefined)
      return [id, run.length, packing.packResults(run.map(({ answer }) => answer.result)), undefined];
    const each = run.map(({ answer }): Fate => [answer.thrown, answer.result, answer.replayed]);
    return [id, run.length, undefined, each];
  });
}

function packingOf(
  operations: ReadonlyMap<string, AnyOperation>,
  name: string,
): Packing<unknown, unknown> | undefined {
  const operation = operations.get(name);
  return operation?.kind === 'write'
    ? (operation.packing as Packing<unknown, unknown> | undefined)
    : undefined;
}

/** Neighbours that are alike and have ids one behind the other, `most` of them at most. */
function runsOf<T extends { readonly id: number }>(
  items: readonly T[],
  alike: (a: T, b: T) => boolean,
  most: number = Number.POSITIVE_INFINITY,
): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  for (const item of items) {
    const last = run.at(-1);
    if (last === undefined || run.length === most || last.id + 1 !== item.id || !alike(last, item)) {
      run = [];
      runs.push(run);
    }
    run.push(item);
  }
  return runs;
}
