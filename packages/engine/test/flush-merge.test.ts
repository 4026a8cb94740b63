// A merge that a flush makes due runs without a further write.

import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

test('eight flushed segments become one while nobody writes', { timeout: 60_000 }, async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
  try {
    await engine.indices.create('s', {});
    // Twice: a while after its start an engine looks for what is due by itself, once.
    for (const flushes of [8, 7]) {
      for (let i = 0; i < flushes; i++) {
        await engine.write([
          { kind: 'index', index: 's', id: `${flushes}-${i}`, source: Buffer.from(`{"n":${i}}`) },
        ]);
        await engine.indices.flush(['s']);
      }
      while (engine.indices.stats('s').segments > 1) await after(5);
    }
  } finally {
    await engine.close();
  }
});
