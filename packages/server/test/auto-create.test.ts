// A first write creates its index as templates and cluster settings say.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { indexDefaults } from '../src/wire/templates.ts';

test('a first write takes the template that fits, and may be forbidden', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-auto-'));
  let engine: Engine | undefined;
  try {
    const opened = await open(dir, { indexDefaults: (name) => indexDefaults(engine!)(name) });
    engine = opened;
    await opened.settings.put('template', 't', {
      order: 0,
      index_patterns: ['logs-*'],
      settings: { 'index.number_of_replicas': '0' },
      mappings: { properties: { host: { type: 'keyword' } } },
      aliases: { logs: {} },
    });
    const source = new TextEncoder().encode('{"host":"a"}');
    const [first] = await opened.write([{ kind: 'index', index: 'logs-1', id: '1', source }]);
    assert.equal(first?.error, undefined);
    const info = opened.indices.info('logs-1');
    assert.equal(info?.settings['index.number_of_replicas'], '0');
    assert.deepEqual(JSON.parse(JSON.stringify(info?.mappings)), {
      properties: { host: { type: 'keyword' } },
    });
    assert.deepEqual(Object.keys(info?.aliases ?? {}), ['logs']);
    await opened.settings.put('cluster', 'persistent', { 'action.auto_create_index': 'false' });
    const [second] = await opened.write([{ kind: 'index', index: 'other', id: '1', source }]);
    assert.equal(second?.error?.type, 'index_not_found_exception');
    assert.equal(opened.indices.info('other'), undefined);
  } finally {
    await engine?.close();
    await rm(dir, { recursive: true, force: true });
  }
});
