// A file of the log that a merge has moved sources to is named by no segment until the merge is done. It
// survives the sweep of a start that looks for leftovers of its predecessor.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { open } from '@octavo/engine';
import type { Disk } from '../src/disk/disk.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { withGate } from './gate.ts';

const DOCS = 200;
const OPTIONS = { tailDocs: 64, logChunkBytes: 16_384, ballastBytes: 0 };
/** Later than anything that a start leaves for later. */
const LATER_MS = 60_000;

const source = (round: number, n: number) => Buffer.from(JSON.stringify({ round, n, text: 'x'.repeat(200) }));
const idOf = (n: number): string => `id${n}`;

/** Two rounds of documents, the second of most of them: the first chunks of the log are mostly dead. */
async function written(disk: Disk): Promise<void> {
  const engine = await open('', { ...OPTIONS, disk });
  for (const round of [0, 1])
    for (let n = 0; n < DOCS; n++)
      if (round === 0 || n % 5 > 0)
        await engine.write([{ kind: 'index', index: 'a', id: idOf(n), source: source(round, n) }]);
  await engine.indices.flush(['a']);
  await engine.close();
}

test('a merge that is under way when a start is over loses no source', async (t) => {
  const disk = new SimulatedDisk();
  await written(disk);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const segments = (name: string): Promise<void> | undefined => {
    if (!name.startsWith('segments/')) return undefined;
    reached.resolve();
    return gate.promise;
  };
  const engine = await open('', { ...OPTIONS, disk: withGate(disk, segments, 'new files') });
  const before = await disk.list('log');
  const merging = engine.indices.forceMerge(['a'], 1);
  await reached.promise;
  const moved = (await disk.list('log')).filter((name) => !before.includes(name));
  assert.notDeepEqual(moved, [], 'the merge has moved sources');
  t.mock.timers.tick(LATER_MS);
  for (let turns = 0; turns < 500; turns++) await turn();
  assert.deepEqual(
    (await disk.list('log')).filter((name) => moved.includes(name)),
    moved,
  );
  gate.resolve();
  await merging;
  for (let n = 0; n < DOCS; n++)
    assert.deepEqual(Buffer.from(engine.get('a', idOf(n))!.source), source(n % 5 > 0 ? 1 : 0, n));
  assert.deepEqual(await engine.verify(), []);
  t.mock.timers.reset();
  await engine.close();
});
