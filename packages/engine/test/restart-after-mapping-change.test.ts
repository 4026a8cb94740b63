// An engine starts again after any change of its mappings, and finds every acknowledged document as before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type JsonObject, open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { EngineError } from '../src/errors.ts';
import { Maintenance } from '../src/write/maintenance/maintenance.ts';

const fields = (of: JsonObject): JsonObject => ({ properties: of });
const CASES: readonly [name: string, before: JsonObject, source: string, after: JsonObject][] = [
  [
    'a field of text that gets dates',
    {},
    '{"t":"abc"}',
    fields({ t: { type: 'text', fields: { d: { type: 'date' } } } }),
  ],
  ['a field that was not looked at', { dynamic: false }, '{"t":"abc"}', fields({ t: { type: 'long' } })],
  [
    'a field in the place of an object',
    { dynamic: false },
    '{"t":"abc","o":{"p":1},"q":1}',
    fields({ o: { type: 'long' }, q: fields({ r: { type: 'long' } }) }),
  ],
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
    await first.indices.putMapping(['s'], after);
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
    await first.indices.putMapping(['s'], after);
    assert.equal(flush.mock.callCount(), 1);
    await first.close();
    const second = await open('', { disk, ballastBytes: 0 });
    assert.deepEqual((await found(second))[0], [source]);
    await second.close();
  });
}

/** One document, of which the mapping that comes does not fit all. */
async function halfFitting(disk: SimulatedDisk): Promise<Engine> {
  const engine = await open('', { disk, ballastBytes: 0 });
  const mappings = { dynamic: false, ...fields({ u: { type: 'keyword' } }) };
  await engine.indices.create('s', { mappings });
  const source = Buffer.from('{"t":"abc","u":"red","o":[{"p":1},{"p":"x","u":"blue"}]}');
  await engine.write([{ kind: 'index', index: 's', id: '1', source }]);
  return engine;
}
const UNFIT = fields({
  t: { type: 'long' },
  o: fields({ p: { type: 'integer' }, u: { type: 'keyword' } }),
});

async function countOf(engine: Engine, query: JsonObject): Promise<number> {
  return await engine.count({ indices: ['s'], query });
}

test('of a document that is read again, only what does not fit is left out', async (t) => {
  const disk = new SimulatedDisk();
  const first = await halfFitting(disk);
  t.mock.method(Maintenance.prototype, 'flush', () => Promise.reject(new Error('not now')));
  await first.indices.putMapping(['s'], UNFIT);
  assert.equal(first.get('s', '1')?.version, 1, 'it is still there by its id');
  await first.close();
  const second = await open('', { disk, ballastBytes: 0 });
  assert.equal(await countOf(second, { term: { u: 'red' } }), 1);
  assert.equal(await countOf(second, { term: { 'o.u': 'blue' } }), 1);
  assert.equal(await countOf(second, { term: { 'o.p': 1 } }), 1);
  assert.equal(await countOf(second, { exists: { field: 't' } }), 0);
  assert.deepEqual(second.get('s', '1')?.ignored, ['o.p', 't']);
  await second.close();
});

const long = 'x'.repeat(40_000);
const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`f${n}`, n]));
const UNFITTING: readonly [name: string, source: JsonObject, after: JsonObject][] = [
  ['dotted names below a parent that may not come', { 'a.b': 1 }, { dynamic: 'strict' }],
  ['fields that no template allows', { a: 1, 'b.c': 2, d: { e: 3 } }, { dynamic: 'strict_allow_templates' }],
  ['more fields than there may be', many, { dynamic: true }],
  [
    'a template of another type',
    { a: 'no date', o: { p: 1 } },
    {
      dynamic: true,
      dynamic_templates: [
        { a: { match: 'a', mapping: { type: 'date' } } },
        { o: { match: 'o', mapping: { type: 'long' } } },
      ],
    },
  ],
  ['a copy at an object', { a: 'x' }, fields({ a: { type: 'keyword', copy_to: 'o' }, o: fields({}) })],
  ['values too long for a flat object', { a: { b: long }, c: long }, fields({ a: { type: 'flat_object' } })],
  ['a field in the place of a dotted parent', { 'a.b': 1 }, fields({ a: { type: 'long' } })],
];

for (const [name, unfit, after] of UNFITTING)
  test(`${name}: all else of the document is found`, async (t) => {
    const disk = new SimulatedDisk();
    const first = await open('', { disk, ballastBytes: 0 });
    const mappings = { dynamic: false, ...fields({ u: { type: 'keyword' }, z: { type: 'long' } }) };
    await first.indices.create('s', { mappings });
    const source = Buffer.from(JSON.stringify({ u: 'red', ...unfit, z: 7 }));
    await first.write([{ kind: 'index', index: 's', id: '1', source }]);
    t.mock.method(Maintenance.prototype, 'flush', () => Promise.reject(new Error('not now')));
    await first.indices.putMapping(['s'], after);
    await first.close();
    const second = await open('', { disk, ballastBytes: 0 });
    assert.equal(await countOf(second, { term: { u: 'red' } }), 1);
    assert.equal(await countOf(second, { term: { z: 7 } }), 1);
    assert.deepEqual(second.get('s', '1')?.source, new Uint8Array(source));
    await second.close();
  });

test('a change does not wait for others at work, and its documents are sealed at the end', async (t) => {
  const disk = new SimulatedDisk();
  const first = await halfFitting(disk);
  const busy = t.mock.getter(Maintenance.prototype, 'isBusy', () => true);
  const flush = t.mock.method(Maintenance.prototype, 'flush');
  flush.mock.mockImplementationOnce(() => new Promise(() => {}));
  await first.indices.putMapping(['s'], UNFIT);
  busy.mock.restore();
  await first.close();
  assert.equal(flush.mock.callCount(), 2);
  const second = await open('', { disk, ballastBytes: 0 });
  assert.equal(await countOf(second, { exists: { field: 'o' } }), 0, 'as it was read when it came');
  assert.equal(second.get('s', '1')?.ignored, undefined);
  await second.close();
});

test('a mapping that changes nothing has nothing sealed', async (t) => {
  const first = await halfFitting(new SimulatedDisk());
  const flush = t.mock.method(Maintenance.prototype, 'flush');
  await first.indices.putMapping(['s'], fields({ u: { type: 'keyword' } }));
  assert.equal(flush.mock.callCount(), 0);
  await first.indices.putMapping(['s'], fields({ v: { type: 'keyword' } }));
  assert.equal(flush.mock.callCount(), 1);
  await first.close();
});

test('a printed mapping of search_as_you_type is read again at a start', async () => {
  const disk = new SimulatedDisk();
  const mappings = fields({ t: { type: 'search_as_you_type' } });
  const engine = await open('', { disk });
  await engine.indices.create('s', { mappings });
  const printed = engine.indices.info('s')?.mappings;
  await engine.close();
  const again = await open('', { disk });
  assert.deepEqual(again.indices.info('s')?.mappings, printed);
  await assert.rejects(
    async () =>
      again.indices.create('w', {
        mappings: fields({ t: { type: 'search_as_you_type', doc_values: true } }),
      }),
    /Cannot set \[doc_values\]/,
  );
  await again.close();
});
