// The endpoints about indices over HTTP, as tables of calls and what a real OpenSearch 3.1 answered to them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { catalogWire } from './catalog-wire.ts';

const app = catalogWire();
after(() => app.close());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: () => unknown;
}

async function call(
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<Answer> {
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  const reply = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  return { status: reply.statusCode, text: reply.body, json: () => JSON.parse(reply.body) };
}

/** Type and reason of an error reply. */
async function fault(...args: Parameters<typeof call>): Promise<string> {
  const answer = await call(...args);
  const { type, reason } = (answer.json() as { error: { type: string; reason: string } }).error;
  return `${answer.status} ${type}: ${reason}`;
}

test('an index is created once, shown, and gone after its deletion', async () => {
  assert.deepEqual(
    (await call('PUT', '/one', { settings: { number_of_replicas: 0 }, aliases: { uno: {} } })).json(),
    {
      acknowledged: true,
      shards_acknowledged: true,
      index: 'one',
    },
  );
  assert.match(
    await fault('PUT', '/one'),
    /^400 resource_already_exists_exception: index \[one\/.{22}\] already exists$/,
  );
  const shown = (await call('GET', '/uno')).json() as {
    one: { settings: { index: Record<string, unknown> } };
  };
  assert.equal(shown.one.settings.index['number_of_replicas'], '0');
  assert.equal((await call('HEAD', '/one')).status, 200);
  assert.equal(
    await fault('DELETE', '/uno'),
    '400 illegal_argument_exception: The provided expression [uno] matches an alias, specify the corresponding concrete indices instead.',
  );
  assert.equal((await call('DELETE', '/one')).status, 200);
  assert.equal((await call('HEAD', '/one')).status, 404);
  assert.equal(await fault('DELETE', '/one'), '404 index_not_found_exception: no such index [one]');
});

test('names and bodies that are not fit for an index', async () => {
  assert.equal(
    await fault('PUT', '/Upper'),
    '400 invalid_index_name_exception: Invalid index name [Upper], must be lowercase',
  );
  assert.equal(
    await fault('PUT', '/a%23b'),
    "400 invalid_index_name_exception: Invalid index name [a#b], must not contain '#'",
  );
  assert.match(await fault('PUT', '/api'), /application API/);
  assert.equal(
    await fault('PUT', '/x', { foo: {} }),
    '400 parse_exception: unknown key [foo] for create index',
  );
  assert.equal(await fault('PUT', '/x', '{bad'), '400 parse_exception: Failed to parse content to map');
  assert.match(await fault('PUT', '/x', '[]'), /^400 not_x_content_exception/);
  assert.equal(
    await fault('PUT', '/x', { settings: { 'index.sort.field': 'nope' } }),
    '400 illegal_argument_exception: unknown index sort field:[nope]',
  );
  assert.equal((await call('HEAD', '/x')).status, 404);
});

test('aliases: write index, missing names, all or nothing', async () => {
  await call('PUT', '/w1');
  await call('PUT', '/w2');
  const add = (index: string): object => ({ add: { index, alias: 'w', is_write_index: true } });
  assert.equal(
    await fault('POST', '/_aliases', { actions: [add('w1'), add('w2')] }),
    '400 illegal_state_exception: alias [w] has more than one write index [w1,w2]',
  );
  assert.equal((await call('HEAD', '/_alias/w')).status, 404);
  assert.equal(
    await fault('PUT', '/w1/_alias/w2'),
    '400 invalid_alias_name_exception: Invalid alias name [w2], an index exists with the same name as the alias',
  );
  await call('PUT', '/w1/_alias/a1');
  const partly = await call('GET', '/_alias/a1,a2,a0');
  assert.equal(partly.status, 404);
  assert.deepEqual(partly.json(), {
    error: 'aliases [a0,a2] missing',
    status: 404,
    w1: { aliases: { a1: {} } },
  });
  assert.match(
    await fault('DELETE', '/w1/_alias/zz'),
    /^404 aliases_not_found_exception: aliases \[zz\] missing$/,
  );
});

test('wildcard deletes stop where the cluster wants names', async () => {
  await call('PUT', '/d1');
  await call('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': true } });
  assert.match(await fault('DELETE', '/d*'), /Wildcard expressions or all indices are not allowed/);
  assert.match(await fault('DELETE', '/_all'), /Wildcard expressions or all indices are not allowed/);
  assert.equal((await call('DELETE', '/d1')).status, 200);
  await call('PUT', '/_cluster/settings', { persistent: { '*': null } });
  assert.deepEqual((await call('GET', '/_cluster/settings')).json(), { persistent: {}, transient: {} });
});

test('tables: aligned text, chosen columns, JSON, unknown sort keys', async () => {
  await call('PUT', '/tab-a', { settings: { number_of_replicas: 0 } });
  await call('PUT', '/tab-bcd');
  await call('POST', '/tab-bcd/_close');
  const columns = 'h=health,status,index,pri,docs.count';
  assert.equal(
    (await call('GET', `/_cat/indices/tab-*?v&${columns}&s=index:desc`)).text,
    'health status index   pri docs.count\n' +
      'yellow close  tab-bcd   1           \n' +
      'green  open   tab-a     1          0\n',
  );
  assert.deepEqual((await call('GET', '/_cat/indices/tab-a?format=json&h=i,dc')).json(), [
    { i: 'tab-a', dc: '0' },
  ]);
  assert.match(await fault('GET', '/_cat/indices?s=nope'), /Unable to sort by unknown sort key `nope`/);
  assert.equal((await call('GET', '/_cat/indices/none*')).text, '');
});

test('health waits, and says when it waited in vain', async () => {
  await call('PUT', '/well', { settings: { number_of_replicas: 0 } });
  assert.equal((await call('GET', '/_cluster/health/well?wait_for_status=green')).status, 200);
  const late = await call('GET', '/_cluster/health/well?wait_for_nodes=%3E%3D2&timeout=1ms');
  assert.equal(late.status, 408);
  assert.equal((late.json() as { timed_out: boolean }).timed_out, true);
  assert.match(await fault('GET', '/_cluster/health?wait_for_nodes=x'), /^400 number_format_exception/);
});

test('templates reach new indices, and components in use stay', async () => {
  await call('PUT', '/_component_template/c', { template: { settings: { refresh_interval: '5s' } } });
  await call('PUT', '/_index_template/t', {
    index_patterns: 'tpl-*',
    composed_of: ['c'],
    template: { aliases: { tal: {} } },
  });
  await call('PUT', '/tpl-1');
  const shown = (await call('GET', '/tpl-1?flat_settings')).json() as {
    'tpl-1': { settings: Record<string, string>; aliases: object };
  };
  assert.equal(shown['tpl-1'].settings['index.refresh_interval'], '5s');
  assert.deepEqual(shown['tpl-1'].aliases, { tal: {} });
  assert.match(await fault('DELETE', '/_component_template/c'), /still in use by index templates \[t\]/);
  assert.equal((await call('GET', '/_template/none')).status, 404);
});

test('an open that is not waited for can be asked about', async () => {
  await call('PUT', '/slow');
  await call('POST', '/slow/_close');
  const { task } = (await call('POST', '/slow/_open?wait_for_completion=false')).json() as { task: string };
  const told = (await call('GET', `/_tasks/${task}?wait_for_completion=true`)).json() as {
    completed: boolean;
    task: { action: string; description: string };
  };
  assert.deepEqual(
    [told.completed, told.task.action, told.task.description],
    [true, 'indices:admin/open', 'open indices [slow]'],
  );
  assert.match(await fault('GET', '/_tasks/x'), /malformed task id x/);
});

test('the identity is that of the dialect', async () => {
  const elastic = catalogWire('elasticsearch');
  const reply = await elastic.inject({ method: 'GET', url: '/' });
  const body = reply.json() as { tagline: string; version: { number: string; build_flavor: string } };
  assert.deepEqual(
    [body.version.number, body.version.build_flavor, body.tagline],
    ['8.17.0', 'default', 'You Know, for Search'],
  );
  assert.equal(reply.headers['x-elastic-product'], 'Elasticsearch');
  await elastic.close();
});
