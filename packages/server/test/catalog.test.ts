// The endpoints about indices over HTTP, as tables of calls and of what a real OpenSearch 3.1 answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

/** Type and reason of an error reply. */
async function fault(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, body } = await ask(...asked);
  return `${status} ${body.error.type}: ${body.error.reason}`;
}

test('an index is created once, shown, and gone after its deletion', async () => {
  const made = await ask('PUT /one', { settings: { number_of_replicas: 0 }, aliases: { uno: {} } });
  assert.deepEqual(made.body, { acknowledged: true, shards_acknowledged: true, index: 'one' });
  assert.match(
    await fault('PUT /one'),
    /^400 resource_already_exists_exception: index \[one\/.{22}\] already exists$/,
  );
  const shown = await ask('GET /uno');
  assert.equal(shown.body.one.settings.index.number_of_replicas, '0');
  assert.equal((await ask('HEAD /one')).status, 200);
  assert.equal(
    await fault('DELETE /uno'),
    '400 illegal_argument_exception: The provided expression [uno] matches an alias, specify the corresponding concrete indices instead.',
  );
  assert.equal((await ask('DELETE /one')).status, 200);
  assert.equal((await ask('HEAD /one')).status, 404);
  assert.equal(await fault('DELETE /one'), '404 index_not_found_exception: no such index [one]');
});

test('names and bodies that are not fit for an index', async () => {
  assert.equal(
    await fault('PUT /Upper'),
    '400 invalid_index_name_exception: Invalid index name [Upper], must be lowercase',
  );
  assert.equal(
    await fault('PUT /a%23b'),
    "400 invalid_index_name_exception: Invalid index name [a#b], must not contain '#'",
  );
  const api = await ask('POST /_bulk', '{"index":{"_index":"api"}}\n{}\n');
  assert.match(api.body.items[0].index.error.reason, /application API/);
  assert.equal(await fault('PUT /x', { foo: {} }), '400 parse_exception: unknown key [foo] for create index');
  assert.equal(await fault('PUT /x', '{bad'), '400 parse_exception: Failed to parse content to map');
  assert.match(await fault('PUT /x', '[]'), /^400 not_x_content_exception/);
  assert.equal(
    await fault('PUT /x', { settings: { 'index.sort.field': 'nope' } }),
    '400 illegal_argument_exception: unknown index sort field:[nope]',
  );
  assert.equal((await ask('HEAD /x')).status, 404);
});

test('aliases: write index, missing names, all or nothing', async () => {
  await ask('PUT /w1');
  await ask('PUT /w2');
  const add = (index: string): object => ({ add: { index, alias: 'w', is_write_index: true } });
  assert.equal(
    await fault('POST /_aliases', { actions: [add('w1'), add('w2')] }),
    '400 illegal_state_exception: alias [w] has more than one write index [w1,w2]',
  );
  assert.equal((await ask('HEAD /_alias/w')).status, 404);
  assert.equal(
    await fault('PUT /w1/_alias/w2'),
    '400 invalid_alias_name_exception: Invalid alias name [w2], an index exists with the same name as the alias',
  );
  await ask('PUT /w1/_alias/a1');
  const partly = await ask('GET /_alias/a1,a2,a0');
  assert.equal(partly.status, 404);
  assert.deepEqual(partly.body, {
    error: 'aliases [a0,a2] missing',
    status: 404,
    w1: { aliases: { a1: {} } },
  });
  assert.match(
    await fault('DELETE /w1/_alias/zz'),
    /^404 aliases_not_found_exception: aliases \[zz\] missing$/,
  );
});

test('wildcard deletes stop where the cluster wants names', async () => {
  await ask('PUT /d1');
  await ask('PUT /_cluster/settings', { persistent: { 'action.destructive_requires_name': true } });
  assert.match(await fault('DELETE /d*'), /Wildcard expressions or all indices are not allowed/);
  assert.match(await fault('DELETE /_all'), /Wildcard expressions or all indices are not allowed/);
  assert.equal((await ask('DELETE /d1')).status, 200);
  await ask('PUT /_cluster/settings', { persistent: { '*': null } });
  assert.deepEqual((await ask('GET /_cluster/settings')).body, { persistent: {}, transient: {} });
});

test('tables: aligned text, chosen columns, JSON, unknown sort keys', async () => {
  await ask('PUT /tab-a');
  await ask('PUT /tab-bcd', { settings: { number_of_replicas: 1 } });
  await ask('POST /tab-bcd/_close');
  const columns = 'h=health,status,index,pri,docs.count';
  assert.equal(
    (await ask(`GET /_cat/indices/tab-*?v&${columns}&s=index:desc`)).text,
    'health status index   pri docs.count\n' +
      'yellow close  tab-bcd   1           \n' +
      'green  open   tab-a     1          0\n',
  );
  assert.deepEqual((await ask('GET /_cat/indices/tab-a?format=json&h=i,dc')).body, [{ i: 'tab-a', dc: '0' }]);
  assert.match(await fault('GET /_cat/indices?s=nope'), /Unable to sort by unknown sort key `nope`/);
  assert.equal((await ask('GET /_cat/indices/none*')).text, '');
});

test('health waits, and says when it waited in vain', async () => {
  await ask('PUT /well', { settings: { number_of_replicas: 0 } });
  assert.equal((await ask('GET /_cluster/health/well?wait_for_status=green')).status, 200);
  const late = await ask('GET /_cluster/health/well?wait_for_nodes=%3E%3D2&timeout=1ms');
  assert.equal(late.status, 408);
  assert.equal(late.body.timed_out, true);
  assert.match(await fault('GET /_cluster/health?wait_for_nodes=x'), /^400 number_format_exception/);
});

test('templates reach new indices, and components in use stay', async () => {
  await ask('PUT /_component_template/c', { template: { settings: { refresh_interval: '5s' } } });
  await ask('PUT /_index_template/t', {
    index_patterns: 'tpl-*',
    composed_of: ['c'],
    template: { aliases: { tal: {} } },
  });
  await ask('PUT /tpl-1');
  const shown = (await ask('GET /tpl-1?flat_settings')).body;
  assert.equal(shown['tpl-1'].settings['index.refresh_interval'], '5s');
  assert.deepEqual(shown['tpl-1'].aliases, { tal: {} });
  assert.match(await fault('DELETE /_component_template/c'), /still in use by index templates \[t\]/);
  assert.equal((await ask('GET /_template/none')).status, 404);
});

test('an open that is not waited for can be asked about', async () => {
  await ask('PUT /slow');
  await ask('POST /slow/_close');
  const { task } = (await ask('POST /slow/_open?wait_for_completion=false')).body;
  const told = (await ask(`GET /_tasks/${task}?wait_for_completion=true`)).body;
  assert.deepEqual(
    [told.completed, told.task.action, told.task.description],
    [true, 'indices:admin/open', 'open indices [slow]'],
  );
  assert.match(await fault('GET /_tasks/x'), /malformed task id x/);
});

test('the identity is that of the dialect', async () => {
  const elastic = await server({ compat: 'elasticsearch' });
  const { body, headers } = await elastic.ask('GET /');
  assert.deepEqual(
    [body.version.number, body.version.build_flavor, body.tagline],
    ['8.17.0', 'default', 'You Know, for Search'],
  );
  assert.equal(headers['x-elastic-product'], 'Elasticsearch');
});

test('typed clients find the members that they require of nodes and statistics', async () => {
  for (const compat of ['opensearch', 'elasticsearch'] as const) {
    const of = await server({ compat });
    const isElastic = compat === 'elasticsearch';
    const { nodes } = (await of.ask('GET /_nodes')).body;
    const node = nodes[Object.keys(nodes)[0]!];
    assert.equal(typeof node.settings.http.type, 'string');
    assert.deepEqual(node.settings.node.attr, {});
    assert.deepEqual(node.jvm.input_arguments, []);
    assert.equal(Object.hasOwn(node, 'transport_version'), isElastic);
    assert.equal(Object.hasOwn(node.settings.cluster, 'election'), isElastic);
    const stats = (await of.ask('GET /_nodes/stats')).body.nodes;
    const { indices } = stats[Object.keys(stats)[0]!];
    assert.equal(Object.hasOwn(indices.search, 'fetch_failure'), isElastic);
    assert.equal(Object.hasOwn(indices.flush, 'total_time_excluding_waiting_on_lock_in_millis'), isElastic);
  }
});
