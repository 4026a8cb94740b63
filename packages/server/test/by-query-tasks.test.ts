// Changes by query run as tasks: they are listed, slowed down, cancelled, and show what they have done.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
let as: Record<string, string> = {};
const embedded = onlyEmbedded('a cluster has tasks of its own');

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
  const lines = Array.from({ length: 6 }, (_, n) => [{ index: { _id: String(n) } }, { n }]);
  await ask(
    'POST /t/_bulk?refresh=true',
    lines
      .flat()
      .map((l) => `${JSON.stringify(l)}\n`)
      .join(''),
    as,
  );
});

/** Starts a task and returns its id. */
async function begin(line: string, body?: object, headers = as): Promise<string> {
  const { body: answer, text } = await ask(line, body, headers);
  assert.match(answer.task, /^[\w-]{22}:\d+$/, text);
  return answer.task;
}

const ended = async (task: string): Promise<Answer['body']> =>
  (await ask(`GET /_tasks/${task}?wait_for_completion=true&timeout=5s`, undefined, as)).body;

test('a task ends with the reply of the change', embedded, async () => {
  const body = { source: { index: 't' }, dest: { index: 'u' } };
  const shown = await ended(await begin('POST /_reindex?wait_for_completion=false&refresh=true', body));
  assert.equal(shown['completed'], true);
  const { action, description, cancellable, status } = shown['task'];
  assert.deepEqual(
    [action, description, cancellable],
    ['indices:data/write/reindex', 'reindex from [t] to [u]', true],
  );
  assert.deepEqual([status.created, shown['response'].created, shown['response'].failures], [6, 6, []]);
  assert.equal((await ask('GET /u/_count', undefined, as)).body.count, 6);
  const failed = await ended(
    await begin('POST /_reindex?wait_for_completion=false', { ...body, source: { index: 'none' } }),
  );
  assert.equal(failed['error'].type, 'index_not_found_exception');
});

test('a slow change is listed, gets another pace, and is cancelled between two pages', embedded, async () => {
  const slow = 'wait_for_completion=false&requests_per_second=0.1&scroll_size=1';
  const task = await begin(`POST /t/_update_by_query?${slow}`);
  const list = async (query: string): Promise<Answer['body']> =>
    (await ask(`GET /_tasks?actions=*byquery${query}`, undefined, as)).body;
  let status = { updated: 0, requests_per_second: 0, throttled_until_millis: 0 };
  while (status.updated === 0 || status.throttled_until_millis === 0) {
    await sleep(1);
    status = (await list('&detailed=true&group_by=parents')).tasks[task].status;
  }
  assert.equal(status.requests_per_second, 0.1);
  assert.deepEqual((await list('&group_by=none')).tasks.length, 1);
  assert.equal((await list('&nodes=octavo-1')).nodes[task.split(':')[0]!].tasks[task].description, undefined);
  assert.deepEqual(await list('&nodes=x'), { nodes: {} });
  assert.match((await list('&group_by=x')).error.reason, /\[group_by\] must be one of/);
  const faster = await ask(
    `POST /_update_by_query/${task}/_rethrottle?requests_per_second=0.2`,
    undefined,
    as,
  );
  assert.equal(Object.keys(faster.body.nodes).length, 1, faster.text);
  const cancelled = await ask(`POST /_tasks/${task}/_cancel?wait_for_completion=true`, undefined, as);
  assert.equal(Object.keys(cancelled.body.nodes).length, 1, cancelled.text);
  const { completed, task: shown, response } = await ended(task);
  assert.deepEqual([completed, shown.cancelled], [true, true]);
  assert.deepEqual([response.canceled, response.updated, response.total], ['by user request', 1, 6]);
  assert.equal(response.requests_per_second, 0.2);
  const again = await ask(`POST /_tasks/${task}/_cancel`, undefined, as);
  assert.equal(again.body.node_failures[0].caused_by.reason, `task [${task}] is not found`);
});

test('ids that are none, and paces that are none, are refused', embedded, async () => {
  assert.equal((await ask('POST /_tasks/foo/_cancel', undefined, as)).status, 400);
  const elsewhere = await ask('POST /_tasks/x:1/_cancel', undefined, as);
  assert.equal(elsewhere.body.node_failures[0].caused_by.type, 'no_such_node_exception');
  assert.deepEqual((await ask('POST /_tasks/_cancel?actions=none', undefined, as)).body, { nodes: {} });
  for (const query of ['', '?requests_per_second=0'])
    assert.equal((await ask(`POST /_reindex/x:1/_rethrottle${query}`, undefined, as)).status, 400);
});

test('a caller that waits gets a pace, too', embedded, async () => {
  const answer = await ask(
    'POST /t/_update_by_query?requests_per_second=20&scroll_size=2&max_docs=4',
    undefined,
    as,
  );
  assert.deepEqual([answer.status, answer.body.updated], [200, 4], answer.text);
  assert.ok(answer.body.took >= 99, answer.text);
  assert.match(answer.text, /"requests_per_second":20.0/);
});

test('a key sees its own tasks only', embedded, async () => {
  const key = async (): Promise<Record<string, string>> => {
    const rights = { name: 'k', scopes: ['search:write'], index_patterns: ['t', 'u'] };
    const { body } = await ask('POST /api/keys', rights, as);
    return { authorization: `Bearer ${body.token}` };
  };
  const [mine, other] = [await key(), await key()];
  const slow = 'wait_for_completion=false&requests_per_second=0.1&scroll_size=1';
  const task = await begin(`POST /t/_update_by_query?${slow}`, undefined, mine);
  for (const line of [`GET /_tasks/${task}`])
    assert.equal((await ask(line, undefined, other)).status, 404, line);
  assert.deepEqual((await ask('GET /_tasks', undefined, other)).body, { nodes: {} });
  const cancel = await ask(`POST /_tasks/${task}/_cancel`, undefined, other);
  assert.deepEqual(cancel.body.nodes, {});
  assert.equal((await ask(`GET /_tasks/${task}`, undefined, mine)).body.task.cancelled, false);
  assert.equal(Object.keys((await ask('POST /_tasks/_cancel', undefined, mine)).body.nodes).length, 1);
  assert.equal((await ended(task))['response'].canceled, 'by user request');
});
