// Settings take effect, and last as long as they should: cluster settings over a restart, default fields of
// queries, lengths of n-grams.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { indexDefaults } from '../src/wire/templates/index-defaults.ts';
import { askOver, server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();

async function opened(dir: string): Promise<Engine> {
  const engine: Engine = await open(dir, {
    ballastBytes: 0,
    indexDefaults: (name) => indexDefaults(engine)(name),
  });
  return engine;
}

test(
  'persistent cluster settings outlive a restart, transient ones do not',
  onlyEmbedded('its own settings'),
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'octavo-settings-'));
    try {
      const engine: Engine = await opened(dir);
      const before = (await askOver(engine)).ask;
      const put = await before('PUT /_cluster/settings', {
        persistent: { 'action.auto_create_index': 'no*' },
        transient: { 'action.auto_create_index': 'yes*' },
      });
      assert.equal(put.status, 200, put.text);
      assert.equal((await before('PUT /yes/_doc/1', {})).status, 201);
      assert.equal((await before('PUT /nope/_doc/1', {})).status, 404);
      await engine.close();
      const again = await opened(dir);
      const after = (await askOver(again)).ask;
      assert.deepEqual((await after('GET /_cluster/settings?flat_settings')).body, {
        persistent: { 'action.auto_create_index': 'no*' },
        transient: {},
      });
      assert.equal((await after('PUT /yes2/_doc/1', {})).status, 404);
      assert.equal((await after('PUT /nope/_doc/1', {})).status, 201);
      await again.close();
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);

test(
  'scrolls and points in time live no longer than the cluster settings say',
  onlyEmbedded('its own settings'),
  async () => {
    await ask('PUT /lives');
    const put = async (scroll: string | null, pit: string | null): Promise<void> => {
      const persistent = { 'search.max_keep_alive': scroll, 'point_in_time.max_keep_alive': pit };
      const { status, text } = await ask('PUT /_cluster/settings', { persistent });
      assert.equal(status, 200, text);
    };
    const lives = async (minutes: number): Promise<number[]> => [
      (await ask(`POST /lives/_search?scroll=${minutes}m`)).status,
      (await ask(`POST /lives/_search/point_in_time?keep_alive=${minutes}m`)).status,
    ];
    assert.deepEqual(await lives(3), [200, 200]);
    await put('2m', '1m');
    assert.deepEqual(await lives(1), [200, 200]);
    assert.deepEqual(await lives(2), [200, 400]);
    assert.deepEqual(await lives(3), [400, 400]);
    // One that would let nothing be opened, or that a request could not name, is no limit.
    for (const setting of ['search.max_keep_alive', 'point_in_time.max_keep_alive']) {
      for (const bad of ['-1', '0', '1micros', '1.5h', '2', '1M', `${'9'.repeat(20)}d`]) {
        const { status, text } = await ask('PUT /_cluster/settings', { transient: { [setting]: bad } });
        assert.equal(status, 400, `${bad}: ${text}`);
      }
    }
    assert.deepEqual(await lives(1), [200, 200]);
    // Nor does one above the server's own help, and the refusal says so.
    await put('48h', '48h');
    assert.deepEqual(await lives(1_500), [400, 400]);
    const { text } = await ask('POST /lives/_search?scroll=1500m');
    assert.match(text, /keepAliveMaxMs \(1d\)/);
    await put(null, null);
    assert.deepEqual(await lives(3), [200, 200]);
  },
);

test('index.query.default_field: one field, a list, boosts, patterns, for every query without fields', async () => {
  await ask('PUT /d', {
    // Of counts that are the same as before a cluster would give the answer of before.
    settings: { 'index.query.default_field': 'u', 'index.requests.cache.enable': false },
    mappings: { properties: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' } } },
  });
  await ask('PUT /d/_doc/1?refresh=true', { t: 'red fox', u: 'blue bird', k: 'a' });
  const found = async (text: string): Promise<number[]> => {
    const totals: number[] = [];
    for (const kind of ['query_string', 'simple_query_string', 'multi_match']) {
      const reply = await ask('POST /d/_search', { query: { [kind]: { query: text } } });
      assert.equal(reply.status, 200, reply.text);
      totals.push(reply.body.hits.total.value);
    }
    totals.push((await ask(`GET /d/_search?q=${text}`)).body.hits.total.value);
    totals.push((await ask(`GET /d/_count?q=${text}`)).body.count);
    return totals;
  };
  const NONE = [0, 0, 0, 0, 0];
  const ONE = [1, 1, 1, 1, 1];
  assert.deepEqual(await found('blue'), ONE);
  assert.deepEqual(await found('red'), NONE);
  for (const fields of [['t', 'k'], 't,k', ['t^3', 'k'], 't*']) {
    await ask('PUT /d/_settings', { 'index.query.default_field': fields });
    assert.deepEqual(await found('red'), ONE, JSON.stringify(fields));
    assert.deepEqual(await found('blue'), NONE, JSON.stringify(fields));
  }
  const score = async (): Promise<number> =>
    (await ask('POST /d/_search', { query: { query_string: { query: 'red' } } })).body.hits.max_score;
  const plain = await score();
  await ask('PUT /d/_settings', { 'index.query.default_field': ['t^3', 'u'] });
  assert.ok(Math.abs((await score()) - 3 * plain) < 1e-6);
});

test('_analyze obeys index.max_ngram_diff and index.max_shingle_diff', async () => {
  const ngram = { tokenizer: { type: 'ngram', min_gram: 1, max_gram: 5 }, text: 'abc' };
  const refused = await ask('POST /_analyze', ngram);
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.reason, /must be less than or equal to: \[1\] but was \[4\]/);
  await ask('PUT /g', { settings: { 'index.max_ngram_diff': 3 } });
  assert.match((await ask('POST /g/_analyze', ngram)).body.error.reason, /\[3\] but was \[4\]/);
  await ask('PUT /g/_settings', { 'index.max_ngram_diff': 4 });
  assert.equal((await ask('POST /g/_analyze', ngram)).body.tokens.length, 6);
  const shingles = (max: number): object => ({
    ...{ tokenizer: 'standard', text: 'a b' },
    filter: [{ type: 'shingle', min_shingle_size: 2, max_shingle_size: max }],
  });
  assert.equal((await ask('POST /g/_analyze', shingles(4))).status, 200);
  assert.match((await ask('POST /g/_analyze', shingles(9))).body.error.reason, /\[3\] but was \[8\]/);
});

test(
  'a cluster setting that would do nothing is refused, as one that nobody knows',
  onlyEmbedded('its own settings'),
  async () => {
    for (const setting of [
      'cluster.blocks.read_only',
      'cluster.max_shards_per_node',
      'indices.breaker.total.limit',
      'search.default_search_timeout',
      'search.max_open_scroll_context',
      'logger.org.opensearch',
      'no.such.setting',
    ])
      for (const scope of ['persistent', 'transient']) {
        const { status, body } = await ask('PUT /_cluster/settings', {
          [scope]: { 'action.auto_create_index': 'x*', [setting]: '1' },
        });
        assert.equal(status, 400, setting);
        assert.match(body.error.reason, new RegExp(`unknown setting \\[${setting}\\]`), setting);
      }
    assert.deepEqual((await ask('GET /_cluster/settings')).body, { persistent: {}, transient: {} });
    const { defaults } = (await ask('GET /_cluster/settings?include_defaults&flat_settings')).body;
    assert.deepEqual(
      Object.keys(defaults).filter((key) => /^(search|cluster\.blocks|indices\.breaker)/.test(key)),
      ['search.max_buckets', 'search.max_keep_alive'],
    );
    // One that an earlier version has stored can be removed.
    assert.equal(
      (await ask('PUT /_cluster/settings', { persistent: { 'cluster.blocks.read_only': null } })).status,
      200,
    );
  },
);
