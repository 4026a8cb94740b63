// An index whose segments cannot be named in the catalog, because the disk is full for a moment, loses nothing
// when the engine goes on: neither the replay of the log nor the sweep of its chunks passes what is not named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { DiskFailure, DiskFullError } from '../src/disk/failure.ts';
import { type FaultKind, SimulatedDisk } from '../src/disk/simulated.ts';
import { contents, Ledger, runSteps, SCRIPT, SMALL } from './life.ts';
import { sampled } from './sampled.ts';

const source = Buffer.from('{"n":1}');

/** Lives on after what is refused. After each step another index is flushed, which moves the replay on. */
async function lifeOn(engine: Engine, ledger: Ledger): Promise<void> {
  for (const step of SCRIPT) {
    await runSteps(engine, ledger, [step]).catch(ignoreFull);
    await engine.write([{ kind: 'index', index: 'other', id: 'one', source }]);
    await engine.indices.flush(['other']).catch(ignoreFull);
  }
  assert.ok(ledger.allows(await contents(engine)), 'while it runs');
  await engine.close();
}

function ignoreFull(error: unknown): void {
  if (!(error instanceof DiskFullError)) throw error;
}

/** What is no full disk ends the engine, as a failed sync does. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof DiskFailure) && (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
}

for (const fault of ['enospc', 'short'] as const satisfies readonly FaultKind[])
  test(`${fault} at every operation, and the engine goes on: nothing is lost`, async () => {
    const begin = async (disk: SimulatedDisk): Promise<Engine> => {
      const engine = await open('', { ...SMALL, disk });
      for (const name of ['life', 'other']) await engine.indices.create(name, {});
      return engine;
    };
    const clean = new SimulatedDisk();
    const engine = await begin(clean);
    const before = clean.operations.length;
    await lifeOn(engine, new Ledger());
    for (const number of sampled(clean.operations.length - before, 4)) {
      const disk = new SimulatedDisk({ faults: { [before + number]: fault } });
      const ledger = new Ledger();
      await lifeOn(await begin(disk), ledger).catch(ignoreFailure);
      const what = `${fault} at ${before + number} (${disk.operations[before + number]})`;
      const crashed = await open('', { ...SMALL, disk: disk.crash(number) });
      const found = await contents(crashed);
      assert.ok(
        ledger.allows(found),
        `${what}: found ${[...found.keys()]}, acknowledged ${[...ledger.acknowledged.keys()]}`,
      );
      assert.deepEqual(await crashed.verify(), [], what);
      await crashed.close();
    }
  });

test('a flush saves what a full disk refused before, though nothing was written since', async () => {
  const begin = async (disk: SimulatedDisk): Promise<Engine> => {
    const engine = await open('', { ...SMALL, disk });
    await engine.indices.create('life', {});
    await engine.write([{ kind: 'index', index: 'life', id: 'one', source }]);
    return engine;
  };
  const isSave = (operation: string): boolean => operation.startsWith('write catalog/manifest.tmp');
  const clean = new SimulatedDisk();
  const engine = await begin(clean);
  const before = clean.operations.length;
  await engine.indices.flush(['life']);
  await engine.close();
  const at = clean.operations.findIndex((operation, n) => n >= before && isSave(operation));
  assert.ok(at >= before, clean.operations.slice(before).join());

  const disk = new SimulatedDisk({ faults: { [at]: 'enospc' } });
  const full = await begin(disk);
  await assert.rejects(full.indices.flush(['life']), DiskFullError);
  const refused = disk.operations.length;
  await full.indices.flush(['life']);
  assert.ok(disk.operations.slice(refused).some(isSave), disk.operations.slice(refused).join());
  await full.close();
});
