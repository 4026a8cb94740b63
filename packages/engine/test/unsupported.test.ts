// What the engine cannot do is refused rather than half done, and aliases work wherever a field does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type JsonObject, open } from '@octavo/engine';
import { Catalog } from '../src/catalog/catalog.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const refuses = (type: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineError);
  assert.deepEqual([error.type, error.status], [type, 400]);
  assert.match(error.message, words);
  return true;
};

test('an index with a nested field from before opens and takes other fields and documents', async () => {
  const disk = new SimulatedDisk();
  const before = await open('', { disk, ballastBytes: 0 });
  await before.indices.create('a', { mappings: { properties: { o: { properties: {} } } } });
  await before.close();
  const catalog = await Catalog.open(disk);
  const mapping: JsonObject = {
    properties: { o: { type: 'nested', properties: { x: { type: 'keyword' } } } },
  };
  await catalog.commit([{ put: ['mapping', '1', mapping] }]);
  await catalog.close();
  const engine = await open('', { disk, ballastBytes: 0 });
  await engine.indices.putMapping(['a'], { properties: { k: { type: 'keyword' } } });
  await engine.write([
    { kind: 'index', index: 'a', id: '1', source: Buffer.from('{"o":[{"x":"q"},{"x":"r"}]}') },
  ]);
  const query = { nested: { path: 'o', query: { term: { 'o.x': 'r' } } } };
  assert.equal(await engine.count({ indices: ['a'], query }), 1);
  await engine.close();
});

test('collapsing by an alias is collapsing by its field, another one in each index', async () => {
  const engine = await open('', { disk: new SimulatedDisk() });
  for (const [index, field] of [
    ['a', 'kind'],
    ['b', 'sort'],
  ] as const) {
    const properties = { [field]: { type: 'keyword' }, group: { type: 'alias', path: field } };
    await engine.indices.create(index, { mappings: { properties } });
    await engine.write(
      ['x', 'y', 'x', 'z'].map((value, at) => ({
        kind: 'index' as const,
        index,
        id: `${index}${at}`,
        source: Buffer.from(JSON.stringify({ [field]: value })),
      })),
    );
  }
  const found = await engine.search({ indices: ['a', 'b'], sort: ['_id'], collapse: { field: 'group' } });
  assert.deepEqual(
    found.hits.map(({ id }) => id),
    ['a0', 'a1', 'a3'],
  );
  await engine.close();
});

test('a field named as metadata is refused in the peer’s words, new or added; deeper down it is a name like any', async () => {
  const engine = await open('', { disk: new SimulatedDisk() });
  for (const name of [
    '_id',
    '_source',
    '_index',
    '_seq_no',
    '_routing',
    '_version',
    '_ignored',
    '_doc_count',
  ]) {
    const mappings: JsonObject = { properties: { [name]: { type: 'keyword' } } };
    await assert.rejects(engine.indices.create('m', { mappings }), (error: EngineError) => {
      refuses('mapper_parsing_exception', /^Failed to parse mapping \[_doc\]: Field/)(error);
      assert.equal(error.causedBy?.message, `Field [${name}] is defined more than once`);
      return true;
    });
  }
  for (const [field, words] of [
    [{ '_id.x': { type: 'keyword' } }, /Field \[_id\] is defined both as an object and a field/],
    [
      { k: { type: 'keyword' }, _id: { type: 'alias', path: 'k' } },
      /Alias \[_id\] is defined both as an alias and a/,
    ],
  ] as const) {
    const mappings: JsonObject = { properties: field };
    await assert.rejects(
      engine.indices.create('m', { mappings }),
      refuses('mapper_parsing_exception', words),
    );
  }
  await engine.indices.create('m', {
    mappings: { properties: { a: { properties: { _id: { type: 'keyword' } } } } },
  });
  await assert.rejects(
    engine.indices.putMapping(['m'], { properties: { _index: { type: 'keyword' } } }),
    refuses('mapper_parsing_exception', /^Field \[_index\] is defined more than once$/),
  );
  await engine.close();
});
