// A document reports which of its values were left out of the index, before and after it is sealed, and can
// be found by them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

test('hits and documents name what was ignored; queries find them', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
  const properties = {
    k: { type: 'keyword', ignore_above: 3 },
    n: { type: 'long', ignore_malformed: true },
    place: { type: 'geo_point', ignore_malformed: true },
  };
  await engine.indices.create('a', { mappings: { properties } });
  const wanted = new Map([
    ['none', undefined],
    ['one', undefined],
    ['all', ['n', 'place']],
  ]);
  const sources = [{ k: 'abc', n: 1 }, { k: 'abcd' }, { k: ['ab', 'abcde'], n: 'x', place: 'x,y' }];
  const ops = [...wanted.keys()].map((id, at) => {
    const source = Buffer.from(JSON.stringify(sources[at]));
    return { kind: 'index' as const, index: 'a', id, source };
  });
  await engine.write(ops);
  const check = async (what: string): Promise<void> => {
    for (const [id, paths] of wanted) assert.deepEqual(engine.get('a', id)!.ignored, paths, `${what}: ${id}`);
    const { hits } = await engine.search({ indices: ['a'] });
    for (const hit of hits) assert.deepEqual(hit.ignored, wanted.get(hit.id), `${what}: ${hit.id}`);
    const find = (query: object) => engine.count({ indices: ['a'], query: { ...query } });
    assert.equal(await find({ exists: { field: '_ignored' } }), 1);
    assert.equal(await find({ term: { _ignored: 'n' } }), 1);
  };
  assert.deepEqual(engine.get('a', 'all')!.ignored, ['n', 'place'], 'before any search');
  await check('in the tail');
  await engine.indices.flush(['a']);
  await check('in a segment');
  await engine.write(ops);
  await engine.indices.forceMerge(['a'], 1);
  await check('merged');
  await engine.close();
});
