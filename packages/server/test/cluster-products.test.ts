// What health, nodes and statistics call things, as OpenSearch 3.1 and Elasticsearch 8.17 do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const INDEX = {
  settings: {
    number_of_shards: 2,
    analysis: {
      tokenizer: { edges: { type: 'edge_ngram' } },
      filter: { grams: { type: 'ngram' } },
      analyzer: {
        one: { tokenizer: 'edges', filter: ['lowercase', 'grams'], char_filter: ['html_strip'] },
        two: { type: 'custom', tokenizer: 'standard', filter: 'lowercase' },
        three: { type: 'stop' },
      },
    },
  },
  mappings: {
    properties: {
      a: { type: 'text', analyzer: 'one', fields: { b: { type: 'text', analyzer: 'english' } } },
      o: { properties: { c: { type: 'text', search_analyzer: 'french', analyzer: 'english' } } },
    },
  },
};

const USAGE = {
  char_filter_types: [],
  tokenizer_types: [{ name: 'edge_ngram', count: 1, index_count: 1 }],
  filter_types: [{ name: 'ngram', count: 1, index_count: 1 }],
  analyzer_types: [
    { name: 'custom', count: 3, index_count: 2 },
    { name: 'stop', count: 1, index_count: 1 },
  ],
  built_in_char_filters: [{ name: 'html_strip', count: 1, index_count: 1 }],
  built_in_tokenizers: [{ name: 'standard', count: 2, index_count: 2 }],
  built_in_filters: [{ name: 'lowercase', count: 2, index_count: 1 }],
  built_in_analyzers: [
    { name: 'english', count: 2, index_count: 1 },
    { name: 'french', count: 1, index_count: 1 },
  ],
};

for (const compat of ['opensearch', 'elasticsearch'] as const) {
  const isOpenSearch = compat === 'opensearch';

  test(`names of ${compat}`, onlyEmbedded('its own names'), async () => {
    const { ask } = await server({ compat });
    const created = await ask('PUT /a', INDEX);
    assert.equal(created.status, 200, created.text);
    await ask('PUT /b', { settings: { analysis: { analyzer: { x: { tokenizer: 'standard' } } } } });

    const health = (await ask('GET /_cluster/health?level=shards')).body;
    const levels = [health, health.indices.a, health.indices.a.shards['1']];
    for (const level of levels) {
      assert.equal(level.unassigned_primary_shards, isOpenSearch ? undefined : 0);
      assert.equal(Object.keys(level).indexOf('unassigned_shards') >= 0, true);
    }

    const roles = isOpenSearch ? ['cluster_manager', 'data'] : ['data', 'master'];
    for (const path of ['/_nodes', '/_nodes/stats']) {
      const [node] = Object.values<{ roles: string[] }>((await ask(`GET ${path}`)).body.nodes);
      assert.deepEqual(node!.roles, roles);
    }
    const header = (await ask('GET /_cat/nodes?v')).text.split('\n')[0]!.trim().split(/ +/).slice(-4);
    assert.deepEqual(
      header,
      isOpenSearch
        ? ['node.role', 'node.roles', 'cluster_manager', 'name']
        : ['load_15m', 'node.role', 'master', 'name'],
    );
    assert.equal((await ask('GET /_cat/nodes?h=master')).text, '*\n');
    const columns = (await ask('GET /_cat/health?v')).text.split('\n')[0]!;
    assert.equal(columns.includes('discovered_cluster_manager'), isOpenSearch);

    const stats = (await ask('GET /_cluster/stats')).body;
    assert.deepEqual(stats.indices.analysis, isOpenSearch ? USAGE : { ...USAGE, synonyms: {} });
    assert.equal(stats.nodes.count.cluster_manager, isOpenSearch ? 1 : undefined);
    assert.equal(stats.nodes.count.master, 1);
    assert.ok(stats.nodes.os.mem.total_in_bytes > stats.nodes.os.mem.free_in_bytes);

    await ask('PUT /a/_doc/1', { x: 1 });
    const [node] = Object.values<{ indices: { docs: object } }>((await ask('GET /_nodes/stats')).body.nodes);
    const shown = await ask('GET /a/_stats?level=shards');
    const { total, shards } = shown.body.indices.a;
    for (const { docs } of [
      total,
      shards['0'][0],
      (await ask('GET /_cluster/stats')).body.indices,
      node!.indices,
    ]) {
      assert.equal(docs.count, 1);
      // Only Elasticsearch has it.
      assert.equal(typeof docs.total_size_in_bytes, isOpenSearch ? 'undefined' : 'number');
    }
  });
}

test('the indexing buffer of a node belongs to its indices', async () => {
  const { ask } = await server();
  for (const [path, shown] of [
    ['/_nodes', true],
    ['/_nodes/_local', true],
    ['/_nodes/_local/indices', true],
    ['/_nodes/http', false],
    ['/_nodes/_local/os,http', false],
  ] as const) {
    const { nodes } = (await ask(`GET ${path}`)).body;
    assert.equal('total_indexing_buffer_in_bytes' in (Object.values(nodes)[0] as object), shown, path);
  }
});

test('the roles of the nodes count connections to other clusters', async () => {
  const { ask } = await server();
  assert.equal((await ask('GET /_cluster/stats')).body.nodes.count.remote_cluster_client, 0);
});
