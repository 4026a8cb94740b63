// Replies of operations that may run as a task: the result, or with `wait_for_completion=false` the id of the task.

import type { ReplyObject } from '../../json/reply-value.ts';
import type { Call, Reply, Services } from './route.ts';
import type { RunningTask, TaskSpec } from './task-log.ts';

/** Parameters of an operation that may run as a task. */
export const TASK_PARAMS: readonly string[] = ['wait_for_completion', 'task_execution_timeout'];

/**
 * Runs work as a task of the caller. Its signal is aborted by a cancel, and when a caller that waits has gone. REQUIRES: the
 * reply of the work has a tree as its body.
 */
export async function replyOfTask(
  call: Call,
  { tasks, principal, nodeId }: Services,
  spec: TaskSpec,
  work: (task: RunningTask, signal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  if (call.params.boolean('wait_for_completion') !== false) {
    return await tasks.attend(principal, spec, (task) =>
      work(task, AbortSignal.any([call.signal, task.signal])),
    );
  }
  const { id } = tasks.start(
    principal,
    spec,
    async (task) => (await work(task, task.signal)).body as ReplyObject,
  );
  return { body: { task: `${nodeId}:${id}` } };
}
