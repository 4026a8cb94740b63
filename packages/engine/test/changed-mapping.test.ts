// Does an engine start again whatever its mappings have become, with every document that it acknowledged, found as before?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type JsonObject, open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { EngineError } from '../src/errors.ts';
import { Maintenance } from '../src/write/maintenance.ts';

const fields = (of: JsonObject): JsonObject => ({ properties: of });
const CASES: readonly [name: string, before: JsonObject, source: string, after: JsonObject][] = [
  [
    'a field of text that gets dates',
    {},
    '{"t":"abc"}',
    fields({ t: { type: 'text', fields: { d: { type: 'date' } } } }),
  ],
  ['a field that was not looked at', { dynamic: false }, '{"t":"abc"}', fields({ t: { type: 'long' } })],
  ['one that may not be any more', { dynamic: false }, '{"t":"abc"}', { dynamic: 'strict' }],
];

async function found(engine: Engine): Promise<unknown[]> {
  const { hits } = await engine.search({ indices: ['s'], query: { match_all: {} } });
  const byText = await engine
    .search({ indices: ['s'], query: { match: { t: 'abc' } } })
    .catch(() => undefined);
  return [hits.map((hit) => Buffer.from(hit.source ?? []).toString()), byText?.total?.value];
}

for (const [name, before, source, after] of CASES) {
  test(`${name}: a start finds what was found`, async () => {
    const disk = new SimulatedDisk();
    const first = await open('', { disk, ballastBytes: 0 });
    await first.indices.create('s', { mappings: before });
    await first.write([{ kind: 'index', index: 's', id: '1', source: Buffer.from(source) }]);
    await first.indices.putMapping('s', after);
    const told = await found(first);
    await first.close();
    const second = await open('', { disk, ballastBytes: 0 });
    assert.deepEqual(await found(second), told);
    await second.close();
  });

  test(`${name}: where it could not be sealed it is there`, async (t) => {
    const disk = new SimulatedDisk();
    const first = await open('', { disk, ballastBytes: 0 });
    await first.indices.create('s', { mappings: before });
    await first.write([{ kind: 'index', index: 's', id: '1', source: Buffer.from(source) }]);
    const flush = t.mock.method(Maintenance.prototype, 'flush', () =>
      Promise.reject(new EngineError('circuit_breaking_exception', 'no room')),
    );
    await first.indices.putMapping('s', after);
    assert.equal(flush.mock.callCount(), 1);
    await first.close();
    const second = await open('', { disk, ballastBytes: 0 });
    assert.deepEqual((await found(second))[0], [source]);
    await second.close();
  });
}
