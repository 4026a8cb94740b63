// The `_tasks` endpoints, and `_rethrottle` of changes by query. A caller sees its own tasks; one that may manage all
// indices sees all of them.

import { EngineError, illegalArgument } from '@octavo/engine';
import { allows } from '../../access/callers/principal.ts';
import { CallerRules } from '../../access/guard/caller-rules.ts';
import { errorObject } from '../../errors/error-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import type { Call, Params, Reply, Route, Services } from '../router/route.ts';
import type { Task } from '../router/task-log.ts';

function maySee({ owner }: Task, { principal }: Services): boolean {
  if (owner.id === principal.id) return true;
  const isFree = new CallerRules(principal).allIndices && principal.documentFilter === undefined;
  return isFree && allows(principal, 'search', 'admin');
}

function show(task: Task, { nodeId }: Services, isDetailed: boolean): ReplyObject {
  const millis = task.result === undefined ? Date.now() - task.startedAt : task.runningMs;
  return {
    node: nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    ...(isDetailed && task.status !== undefined ? { status: task.status() } : {}),
    ...(isDetailed ? { description: task.description } : {}),
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: millis * 1_000_000,
    cancellable: task.isCancellable === true,
    cancelled: task.cancelledAt !== undefined,
    headers: {},
    ...(task.cancelledAt === undefined ? {} : { cancellation_time_millis: task.cancelledAt }),
  };
}

/** The node and the number in a task's id. */
function taskId(text: string): { readonly node: string; readonly id: number } {
  const match = /^([^:]+):(\d{1,15})$/.exec(text);
  if (match === null) throw illegalArgument(`malformed task id ${text}`);
  return { node: match[1]!, id: Number(match[2]) };
}

async function getTask(call: Call, services: Services): Promise<Reply> {
  const text = call.path['task']!;
  const { node, id } = taskId(text);
  const task = node === services.nodeId ? services.tasks.get(id) : undefined;
  if (task === undefined || !maySee(task, services)) {
    throw new EngineError(
      'resource_not_found_exception',
      `task [${text}] isn't running and hasn't stored its results`,
    );
  }
  if (call.params.boolean('wait_for_completion') === true && task.result === undefined)
    await withinTimeout(task.over, call.params.millis('timeout') ?? 30_000);
  return {
    body: { completed: task.result !== undefined, task: show(task, services, true), ...task.result },
  };
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

/** The running tasks that `nodes`, `actions` and `parent_task_id` leave. */
function chosenTasks(params: Params, services: Services): Task[] {
  const { nodeId, options } = services;
  const nodes = params.list('nodes');
  const actions = params.list('actions');
  const isHere = nodes?.some((node) => node === '_all' || node === nodeId || node === options.nodeName);
  // No task has a parent.
  if (isHere === false || params.has('parent_task_id')) return [];
  return services.tasks
    .running()
    .filter(
      (task) =>
        maySee(task, services) &&
        (actions === undefined || actions.some((pattern) => matchesWildcard(pattern, task.action))),
    );
}

/** Tasks under their node, or by `group_by` without it. */
function grouped(
  tasks: readonly Task[],
  services: Services,
  isDetailed: boolean,
  groupBy: string,
): ReplyObject {
  const { nodeId, options } = services;
  const shown = tasks.map((task) => show(task, services, isDetailed));
  if (groupBy === 'none') return { tasks: shown };
  const byId: ReplyObject = {};
  for (const [i, { id }] of tasks.entries()) byId[`${nodeId}:${id}`] = shown[i]!;
  if (groupBy === 'parents') return { tasks: byId };
  if (groupBy === 'nodes')
    return { nodes: tasks.length === 0 ? {} : { [nodeId]: { name: options.nodeName, tasks: byId } } };
  throw illegalArgument(`[group_by] must be one of [nodes], [parents] or [none] but was [${groupBy}]`);
}

function listTasks({ params }: Call, services: Services): Reply {
  const groupBy = params.string('group_by') ?? 'nodes';
  const isDetailed = params.boolean('detailed') === true;
  return { body: grouped(chosenTasks(params, services), services, isDetailed, groupBy) };
}

async function cancelTasks(call: Call, services: Services): Promise<Reply> {
  const { params } = call;
  const groupBy = params.string('group_by') ?? 'nodes';
  const text = call.path['task'];
  const chosen =
    text === undefined
      ? chosenTasks(params, services).filter(({ isCancellable }) => isCancellable === true)
      : [oneRunning(text, services, 'is not found')];
  const failure = chosen.find((each) => each instanceof EngineError);
  if (failure !== undefined) return { body: { node_failures: [errorObject(failure)], nodes: {} } };
  const tasks = chosen as Task[];
  for (const task of tasks) services.tasks.cancel(task);
  if (params.boolean('wait_for_completion') === true) await Promise.all(tasks.map(({ over }) => over));
  return { body: grouped(tasks, services, true, groupBy) };
}

/** The task of an id, if it runs and can be stopped; else the failure that the peer tells of its node. */
function oneRunning(text: string, services: Services, isMissing: string): Task | EngineError {
  const { node, id } = taskId(text);
  const task = services.tasks.get(id);
  const failed = (causedBy: EngineError): EngineError =>
    new EngineError('failed_node_exception', `Failed node [${node}]`, {
      details: { node_id: node },
      causedBy,
    });
  if (node !== services.nodeId)
    return failed(
      new EngineError('no_such_node_exception', `No such node [${node}]`, { details: { node_id: node } }),
    );
  if (task === undefined || task.result !== undefined || !maySee(task, services))
    return failed(new EngineError('resource_not_found_exception', `task [${text}] ${isMissing}`));
  if (task.isCancellable === true) return task;
  return failed(illegalArgument(`task [${text}] doesn't support this operation`));
}

function rethrottle(call: Call, services: Services): Reply {
  const { params } = call;
  const perSecond = params.number('requests_per_second');
  if (perSecond === undefined) throw illegalArgument('requests_per_second is a required parameter');
  if (perSecond !== -1 && !(perSecond > 0)) {
    throw illegalArgument(
      '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
    );
  }
  const task = oneRunning(call.path['task_id']!, services, 'is missing');
  if (task instanceof EngineError) return { body: { node_failures: [errorObject(task)], nodes: {} } };
  task.rethrottle?.(perSecond);
  return { body: grouped([task], services, true, params.string('group_by') ?? 'nodes') };
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
  ...['/_tasks/_cancel', '/_tasks/{task}/_cancel'].map(
    (path): Route => ({ methods: ['POST'], path, params: LIST_PARAMS, handle: cancelTasks }),
  ),
  ...['_reindex', '_update_by_query', '_delete_by_query'].map(
    (name): Route => ({
      methods: ['POST'],
      path: `/${name}/{task_id}/_rethrottle`,
      params: ['requests_per_second', 'group_by'],
      handle: rethrottle,
    }),
  ),
];
