// Every committed catalog change survives a fault at any moment, and none is applied in part. A scripted life runs once for
// every disk operation and every kind of fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskFailure, DiskFullError } from '../disk/failure.ts';
import { type FaultKind, PowerCut, SimulatedDisk } from '../disk/simulated.ts';
import { Catalog } from './catalog.ts';

/** More by the environment, for long campaigns. */
const SEEDS = Number(process.env['OCTAVO_CRASH_SEEDS'] ?? 2);
const OPTIONS = { minBytes: 700, growth: 2 };

/** Commit n puts the number n under two names, one of them new every time, and removes a third. */
interface Model {
  acked: number;
  /** Was under way when everything ended: there or not. */
  pending: number | undefined;
  readonly refused: Set<number>;
}

async function commit(catalog: Catalog, model: Model, number: number): Promise<void> {
  model.pending = number;
  try {
    await catalog.commit([
      { put: ['k', 'last', number] },
      { put: ['k', `n${number}`, { text: 'x'.repeat((number * 37) % 150) }] },
      { remove: ['k', `n${number - 3}`] },
    ]);
    model.acked = number;
    model.pending = undefined;
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error;
    model.refused.add(number);
    model.pending = undefined;
  }
}

async function life(disk: SimulatedDisk, model: Model): Promise<void> {
  for (const [from, to] of [
    [1, 9],
    [10, 14],
  ] as const) {
    const catalog = await Catalog.open(disk, OPTIONS);
    for (let number = from; number <= to; number++) await commit(catalog, model, number);
    await catalog.close();
  }
}

async function run(disk: SimulatedDisk): Promise<Model> {
  const model: Model = { acked: 0, pending: undefined, refused: new Set() };
  try {
    await life(disk, model);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const ends = error instanceof PowerCut || error instanceof DiskFailure || error instanceof DiskFullError;
    assert.ok(ends || code === 'EIO' || code === 'ENOSPC', String(error));
  }
  return model;
}

async function check(disk: SimulatedDisk, model: Model, when: string): Promise<void> {
  const catalog = await Catalog.open(disk, OPTIONS);
  const last = (catalog.get('k', 'last') ?? 0) as number;
  assert.ok(last === model.acked || last === model.pending, `${when}: ${last}, not ${model.acked}`);
  const names = new Set([...catalog.list('k').keys()].filter((name) => name !== 'last'));
  const wanted = new Set<string>();
  for (let number = 1; number <= last; number++)
    if (!model.refused.has(number)) {
      wanted.add(`n${number}`);
      wanted.delete(`n${number - 3}`);
    }
  assert.deepEqual(names, wanted, when);
  model.acked = last;
  await commit(catalog, model, 50);
  assert.equal(catalog.get('k', 'last'), 50);
  await catalog.close();
  assert.equal((await Catalog.open(disk)).get('k', 'last'), 50);
}

async function operationsOfALife(): Promise<string[]> {
  const disk = new SimulatedDisk();
  assert.equal((await run(disk)).acked, 14);
  assert.ok(disk.operations.filter((name) => name.startsWith('rename')).length > 2);
  return disk.operations;
}

for (const fault of ['crash', 'eio', 'enospc', 'short'] as const satisfies FaultKind[])
  test(`${fault} at every operation, then a power cut and a restart`, async () => {
    const operations = await operationsOfALife();
    for (let at = 0; at < operations.length; at++)
      for (let seed = 0; seed < 2 * SEEDS; seed++) {
        const when = `${fault} at ${at} (${operations[at]}), seed ${seed}`;
        const disk = new SimulatedDisk({ faults: { [at]: fault }, seed });
        const model = await run(disk);
        if (seed === 0 && fault !== 'crash') await check(disk, { ...model }, `${when}, no power cut`);
        else await check(disk.crash(seed * 31 + at), model, when);
      }
  });

test('after a failed sync the process may start again, and the power may fail later', async () => {
  const operations = await operationsOfALife();
  for (let at = 0; at < operations.length; at++)
    for (let seed = 0; seed < SEEDS; seed++) {
      const disk = new SimulatedDisk({ faults: { [at]: 'eio' }, seed });
      const model = await run(disk);
      const again = await Catalog.open(disk, OPTIONS);
      const last = (again.get('k', 'last') ?? 0) as number;
      model.pending = undefined;
      model.acked = last;
      await commit(again, model, last + 1);
      const after = await Catalog.open(disk.crash(seed), OPTIONS);
      assert.equal(after.get('k', 'last'), last + 1, `eio at ${at} (${operations[at]}), seed ${seed}`);
    }
});
