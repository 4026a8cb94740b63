// A first write creates its index from templates and cluster settings.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ownEngine } from './own-engine.ts';

test('a first write takes the template that fits, and may be forbidden', async () => {
  const { engine, end } = await ownEngine();
  after(end);
  await engine.settings.put('template', 't', {
    order: 0,
    index_patterns: ['logs-*'],
    settings: { 'index.number_of_replicas': '0' },
    mappings: { properties: { host: { type: 'keyword' } } },
    aliases: { logs: {} },
  });
  const source = new TextEncoder().encode('{"host":"a"}');
  const [first] = await engine.write([{ kind: 'index', index: 'logs-1', id: '1', source }]);
  assert.equal(first?.error, undefined);
  const info = engine.indices.info('logs-1');
  assert.equal(info?.settings['index.number_of_replicas'], '0');
  assert.deepEqual(JSON.parse(JSON.stringify(info?.mappings)), {
    properties: { host: { type: 'keyword' } },
  });
  assert.deepEqual(Object.keys(info?.aliases ?? {}), ['logs']);
  await engine.settings.put('cluster', 'persistent', { 'action.auto_create_index': 'false' });
  const [second] = await engine.write([{ kind: 'index', index: 'other', id: '1', source }]);
  assert.equal(second?.error?.type, 'index_not_found_exception');
  assert.equal(engine.indices.info('other'), undefined);
});
