// Documents accepted under earlier limits stay readable under the current ones. New documents obey the limits in force,
// whichever thread reads them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type EngineLimits, open, setLimits, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DEEP = '['.repeat(60) + ']'.repeat(60);
const LONG_ID = 'i'.repeat(300);
const NARROW: Partial<EngineLimits> = { fieldsPerIndex: 3, nesting: 5, idBytes: 5 };

async function write(engine: Engine, op: Partial<WriteOp>, source?: string): Promise<string> {
  const whole = { kind: 'index', index: 'a', ...op, ...(source && { source: Buffer.from(source) }) } as const;
  const [result] = await engine.write([whole]);
  return result!.error?.message ?? result!.result;
}

const count = (engine: Engine, field: string, value: number): Promise<number> =>
  engine.count({ indices: ['a'], query: { term: { [field]: value } } });

for (const [name, seals] of [
  ['replayed', false],
  ['sealed', true],
] as const) {
  test(`what was written under wider limits is there under narrow ones: ${name}`, async () => {
    const disk = new SimulatedDisk();
    const options = { disk, ballastBytes: 0 };
    const before = await open('', options);
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i])));
    assert.equal(await write(before, { id: LONG_ID }, wide), 'created');
    assert.equal(await write(before, { id: 'deep' }, `{"f1":1,"empty":${DEEP}}`), 'created');
    if (seals) await before.indices.flush(['a']);
    await before.close();

    const engine = await open('', { ...options, limits: NARROW });
    assert.equal(await count(engine, 'f19', 19), 1);
    assert.equal(await count(engine, 'f1', 1), 2);
    assert.match(Buffer.from(engine.get('a', 'deep')!.source).toString(), /\[{60}/);
    assert.match(await write(engine, { id: 'new' }, '{"more":1}'), /Limit of total fields \[3\]/);
    assert.match(await write(engine, { id: 'new' }, '{"f1":[[[[[1]]]]]}'), /failed to parse/);
    assert.match(await write(engine, { id: 'longer' }, '{"f1":1}'), /no longer than 5 bytes but was: 6/);
    assert.match(
      await write(engine, {}, '{"f1":1}'),
      /created/,
      'an id that was made up is none that was given',
    );
    assert.equal(await write(engine, { kind: 'delete', id: LONG_ID }), 'deleted');
    assert.equal(await count(engine, 'f19', 19), 0);

    setLimits(engine, { fieldsPerIndex: 21, idBytes: 6 });
    assert.equal(await write(engine, { id: 'longer' }, '{"more":1}'), 'created');
    assert.match(await write(engine, { id: 'longer' }, '{"f1":[[[[[1]]]]]}'), /failed to parse/);
    assert.match(await write(engine, { id: 'longer' }, '{"yet":1}'), /\[21\]/);
    await engine.close();
  });
}

test('limits of searches and leases change while the engine is open', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), limits: { pageSize: 20, openLeases: 2 } });
  await write(engine, { id: '1' }, '{"t":"x"}');
  const terms = { bool: { should: Array.from({ length: 9 }, (_, i) => ({ term: { t: `${i}` } })) } };
  const search = (size: number, query: object = terms): Promise<unknown> =>
    engine.search({ indices: ['a'], size, query: query as never });
  await search(20);
  await assert.rejects(search(21), /\[20\]/);
  const leases = (): number => {
    for (let i = 0; i < 5; i++) engine.openLease({ kind: 'k', keepAliveMs: 1_000, state: null });
    return engine.leases().length;
  };
  assert.equal(leases(), 2);
  setLimits(engine, { pageSize: 30, clauses: 8, openLeases: 4, keepAliveMaxMs: 1_000 });
  // One that was planned before is under them too.
  await assert.rejects(search(20), /maxClauseCount is set to 8/);
  await search(30, { term: { t: 'x' } });
  assert.equal(leases(), 4);
  assert.throws(() => engine.openLease({ kind: 'k', keepAliveMs: 1_001, state: null }), /must be less than/);
  await engine.close();
});
