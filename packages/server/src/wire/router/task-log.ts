// Long operations of the search wire: a log in memory of those that run, and of those that ended without a caller
// that waited for them. It forgets the oldest finished ones first.

import type { JsonObject } from '@octavo/engine';
import type { Principal } from '../../access/callers/principal.ts';
import { asEngineError, errorObject } from '../../errors/error-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';

/** The highest number of tasks in the log. */
const TASKS_MAX = 1_000;

/** What a task does, as its readers see it. */
export interface TaskSpec {
  readonly action: string;
  readonly description: string;
  readonly isCancellable?: boolean;
}

/** The side of a task that its work sees. */
export interface RunningTask {
  /** Aborted when the task is cancelled, or the server closes. */
  readonly signal: AbortSignal;
  /** How far the work has come; set by the work. */
  status?: () => ReplyObject;
  /** Changes the pace of the work; set by the work. */
  rethrottle?: (perSecond: number) => void;
}

/** One task. */
export interface Task extends RunningTask, TaskSpec {
  readonly id: number;
  /** The caller that started it. */
  readonly owner: Principal;
  readonly startedAt: number;
  cancelledAt: number | undefined;
  /** Resolves when the work has ended or failed. */
  over: Promise<void>;
  runningMs: number;
  result: { readonly response: JsonObject | ReplyObject } | { readonly error: ReplyObject } | undefined;
}

interface Entry {
  readonly task: Task;
  readonly abort: AbortController;
}

/** The tasks of a server. */
export class TaskLog {
  #last = 0;
  readonly #entries = new Map<number, Entry>();

  /** Every task that runs or has ended, by its number. */
  get(id: number): Task | undefined {
    return this.#entries.get(id)?.task;
  }

  running(): Task[] {
    return [...this.#entries.values()].map(({ task }) => task).filter(({ result }) => result === undefined);
  }

  /** Runs work whose caller waits for it: the log has it only meanwhile. */
  async attend<T>(owner: Principal, spec: TaskSpec, work: (task: RunningTask) => T | Promise<T>): Promise<T> {
    let result: { readonly value: T } | { readonly thrown: unknown } | undefined;
    const task = this.start(owner, spec, async (running) => {
      try {
        result = { value: await work(running) };
      } catch (thrown) {
        result = { thrown };
      }
      return {};
    });
    await task.over;
    this.#entries.delete(task.id);
    if (result !== undefined && 'value' in result) return result.value;
    throw result?.thrown;
  }

  /** Starts work that its caller does not wait for. */
  start(
    owner: Principal,
    spec: TaskSpec,
    work: (task: RunningTask) => Promise<JsonObject | ReplyObject>,
  ): Task {
    const abort = new AbortController();
    const startedAt = Date.now();
    const task: Task = {
      ...spec,
      id: ++this.#last,
      ...{ owner, startedAt, signal: abort.signal },
      over: Promise.resolve(),
      cancelledAt: undefined,
      runningMs: 0,
      result: undefined,
    };
    const finish = (result: NonNullable<Task['result']>): void => {
      task.result = result;
      task.runningMs = Date.now() - startedAt;
    };
    task.over = work(task).then(
      (response) => finish({ response }),
      (thrown: unknown) => finish({ error: errorObject(asEngineError(thrown)) }),
    );
    this.#entries.set(task.id, { task, abort });
    for (const [id, each] of this.#entries) {
      if (this.#entries.size <= TASKS_MAX) break;
      if (each.task.result !== undefined) this.#entries.delete(id);
    }
    return task;
  }

  /** Asks the work to stop. It does so at its next step. */
  cancel(task: Task): void {
    task.cancelledAt ??= Date.now();
    this.#entries.get(task.id)?.abort.abort();
  }

  /** Stops all work, when the server closes. */
  async close(): Promise<void> {
    const running = this.running();
    for (const task of running) this.cancel(task);
    await Promise.all(running.filter(({ isCancellable }) => isCancellable).map(({ over }) => over));
  }
}
