// A process without a free file descriptor (EMFILE) refuses what needs one and goes on: no call of the disk
// that opens a file ends the engine, and what was acknowledged stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, EngineError, open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const OPTIONS = { tailDocs: 16, logChunkBytes: 4096, ballastBytes: 0 };

const put = (index: string, id: string, n: number): WriteOp => ({
  kind: 'index',
  index,
  id,
  source: Buffer.from(JSON.stringify({ n, text: 'x'.repeat(200) })),
});

/** What was acknowledged: `n` of each document. */
type Acknowledged = Map<string, number>;

/** Rejects with everything but a refusal. */
async function orRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    assert.ok(error instanceof EngineError && error.status === 507, String(error));
    assert.match(error.message, /no file descriptor is left.*ulimit -n/);
    return false;
  }
}

async function write(engine: Engine, op: WriteOp, acknowledged: Acknowledged, n: number): Promise<boolean> {
  let isWritten = false;
  const isDone = await orRefused(
    engine.write([op]).then(([result]) => {
      if (result!.error !== undefined) throw result!.error;
      isWritten = true;
    }),
  );
  if (isWritten) acknowledged.set(`${op.index}/${op.id}`, n);
  return isDone;
}

/** Writes through many chunks and segments; refusals are passed over. */
async function work(engine: Engine, acknowledged: Acknowledged): Promise<void> {
  for (let n = 0; n < 60; n++) await write(engine, put('busy', `id${n % 12}`, n), acknowledged, n);
  await orRefused(engine.indices.create('made', {}));
  await write(engine, put('made', 'a', 1), acknowledged, 1);
  await orRefused(engine.indices.flush(['busy']));
  await orRefused(engine.indices.forceMerge(['busy'], 1));
  for (let n = 60; n < 90; n++) await write(engine, put('busy', `id${n % 12}`, n), acknowledged, n);
}

function check(engine: Engine, acknowledged: Acknowledged, what: string): void {
  for (const [key, n] of acknowledged) {
    const [index, id] = key.split('/') as [string, string];
    const found = engine.get(index, id);
    assert.ok(found, `${what}: ${key} is missing`);
    assert.equal(JSON.parse(Buffer.from(found.source).toString()).n, n, `${what}: ${key}`);
  }
}

test('a call that finds no descriptor is refused, whichever it is, and the engine goes on', async () => {
  const plain = new SimulatedDisk();
  const first = await open('', { ...OPTIONS, disk: plain });
  const begun = plain.openings.length;
  await work(first, new Map());
  await first.close();
  const calls = plain.openings.slice(begun);
  for (const kind of [/^open log\//, /^open segments\//]) assert.ok(calls.some((call) => kind.test(call)));
  for (let at = 0; at < calls.length; at++) {
    for (const length of [1, 8]) {
      const what = `${length} from ${at}, ${calls[at]}`;
      const disk = new SimulatedDisk();
      const failures: unknown[] = [];
      const engine = await open('', { ...OPTIONS, disk, onFailure: (error) => failures.push(error) });
      for (let i = 0; i < length; i++) disk.refusedOpenings.add(begun + at + i);
      const acknowledged: Acknowledged = new Map();
      await work(engine, acknowledged);
      disk.refusedOpenings.clear();
      assert.deepEqual(failures, [], what);
      check(engine, acknowledged, what);
      // With descriptors again, everything works again.
      assert.equal(await write(engine, put('busy', 'after', 7), acknowledged, 7), true, what);
      await engine.indices.flush(['busy']);
      await engine.indices.forceMerge(['busy'], 1);
      assert.deepEqual(await engine.verify(), [], what);
      assert.deepEqual(failures, [], what);
      await engine.close();
      const again = await open('', { ...OPTIONS, disk: disk.crash(at) });
      check(again, acknowledged, `after a restart: ${what}`);
      await again.close();
    }
  }
});
