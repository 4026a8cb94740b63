// A search of an older snapshot sees all of it. Its lease may end during preparation, and a merge may run before the first
// document is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DOCS = 6_000;

test('a search keeps its snapshot for itself', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
  try {
    await engine.indices.create('s', { mappings: { properties: { text: { type: 'text' } } } });
    const ops = (kind: 'index' | 'delete'): WriteOp[] =>
      Array.from({ length: DOCS }, (_, n) => ({
        ...{ kind, index: 's', id: `${n}` },
        ...(kind === 'index' ? { source: Buffer.from(`{"text":"red w${n}"}`) } : {}),
      }));
    await engine.write(ops('index'));
    const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000 });
    await engine.write(ops('delete'));
    // So many that are not searchable yet are made so first, a slice at a time.
    const found = engine.search({
      ...{ indices: ['s'], query: { match: { text: 'red' } }, size: 1 },
      snapshot: lease.snapshot,
    });
    assert.equal(engine.closeLease(lease.id), true);
    const forgotten = engine.indices.forceMerge(['s'], 1);
    assert.equal((await found).total?.value, DOCS);
    await forgotten;
    const after = await engine.search({ indices: ['s'], snapshot: lease.snapshot });
    assert.equal(after.total?.value, 0, 'then nobody keeps it');
  } finally {
    await engine.close();
  }
});
