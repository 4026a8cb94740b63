// Long operations that were started without waiting for them: a log in memory, which forgets the oldest
// finished ones first, and the `_tasks` endpoints.

import { EngineError, type JsonObject } from '@octavo/engine';
import { asEngineError, errorObject } from '../../errors/error-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';

/** The highest number of tasks in the log. */
const TASKS_MAX = 1_000;

/** Parameters of an operation that may run as a task. */
export const TASK_PARAMS: readonly string[] = ['wait_for_completion', 'task_execution_timeout'];

interface Task {
  readonly id: number;
  readonly action: string;
  readonly description: string;
  readonly startedAt: number;
  /** Resolves when the work has ended or failed. */
  readonly over: Promise<void>;
  runningMs: number;
  result: { response: JsonObject } | { error: ReplyObject } | undefined;
}

interface TaskLog {
  last: number;
  readonly tasks: Map<number, Task>;
}

const LOGS = new WeakMap<object, TaskLog>();

function logOf({ engine }: Services): TaskLog {
  let log = LOGS.get(engine);
  if (log === undefined) LOGS.set(engine, (log = { last: 0, tasks: new Map() }));
  return log;
}

/** Starts `work` as a task and returns its id for GET /_tasks/{id}. */
export function runAsTask(
  services: Services,
  action: string,
  description: string,
  work: () => Promise<JsonObject>,
): string {
  const log = logOf(services);
  const startedAt = Date.now();
  const over = work().then(
    (response) => finish({ response }),
    (thrown: unknown) => finish({ error: errorObject(asEngineError(thrown)) }),
  );
  const task: Task = {
    id: ++log.last,
    action,
    description,
    startedAt,
    over,
    runningMs: 0,
    result: undefined,
  };
  function finish(result: NonNullable<Task['result']>): void {
    task.result = result;
    task.runningMs = Date.now() - startedAt;
  }
  log.tasks.set(task.id, task);
  for (const [id, each] of log.tasks) {
    if (log.tasks.size <= TASKS_MAX) break;
    if (each.result !== undefined) log.tasks.delete(id);
  }
  return `${services.nodeId}:${task.id}`;
}

function show(task: Task, { nodeId }: Services): ReplyObject {
  const millis = task.result === undefined ? Date.now() - task.startedAt : task.runningMs;
  return {
    node: nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    description: task.description,
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: millis * 1_000_000,
    cancellable: false,
    cancelled: false,
    headers: {},
  };
}

async function getTask(call: Call, services: Services): Promise<Reply> {
  const id = call.path['task']!;
  const match = /^([^:]+):(\d{1,15})$/.exec(id);
  if (match === null) {
    throw new EngineError('illegal_argument_exception', `malformed task id ${id}`);
  }
  const task = match[1] === services.nodeId ? logOf(services).tasks.get(Number(match[2])) : undefined;
  if (task === undefined) {
    throw new EngineError(
      'resource_not_found_exception',
      `task [${id}] isn't running and hasn't stored its results`,
    );
  }
  if (call.params.boolean('wait_for_completion') === true && task.result === undefined) {
    await withinTimeout(task.over, call.params.millis('timeout') ?? 30_000);
  }
  return { body: { completed: task.result !== undefined, task: show(task, services), ...task.result } };
}

async function withinTimeout(over: Promise<void>, millis: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EngineError('timeout_exception', 'Timed out waiting for completion of task')),
      millis,
    );
  });
  try {
    await Promise.race([over, late]);
  } finally {
    clearTimeout(timer);
  }
}

function listTasks(_: Call, services: Services): Reply {
  const tasks: ReplyObject = {};
  for (const task of logOf(services).tasks.values()) {
    if (task.result === undefined) tasks[`${services.nodeId}:${task.id}`] = show(task, services);
  }
  if (Object.keys(tasks).length === 0) return { body: { nodes: {} } };
  return { body: { nodes: { [services.nodeId]: { name: services.options.nodeName, tasks } } } };
}

const LIST_PARAMS = [
  'nodes',
  'actions',
  'detailed',
  'parent_task_id',
  'wait_for_completion',
  'group_by',
  'timeout',
];

/** The rows of this family. */
export const taskRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_tasks', params: LIST_PARAMS, handle: listTasks },
  { methods: ['GET'], path: '/_tasks/{task}', params: ['wait_for_completion', 'timeout'], handle: getTask },
];
