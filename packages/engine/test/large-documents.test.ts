// A document of megabytes delays no other request: the event loop turns while its text is inverted for a search, and while it is
// sealed. Nothing is measured in time: turns are counted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0 });
const WORDS = Array.from({ length: 5_000 }, (_, i) => `w${(i * 7_919).toString(36)}`);
const text = Array.from({ length: 600_000 }, (_, i) => WORDS[(i * i + 7 * i) % WORDS.length]).join(' ');
const source = Buffer.from(JSON.stringify({ text }));

before(async () => {
  await engine.indices.create('a', { mappings: { properties: { text: { type: 'text' } } } });
  await engine.write([{ kind: 'index', index: 'a', id: 'large', source }]);
});
after(() => engine.close());

/** How often the event loop turns meanwhile. */
async function turnsOf(work: () => unknown): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return turns;
}

test('one large document is inverted in slices by the search that needs it', async () => {
  const query = { match: { text: WORDS[8]! } };
  const turns = await turnsOf(async () => assert.equal(await engine.count({ indices: ['a'], query }), 1));
  assert.ok(turns > 8, `${turns} turns`);
  const phrase = {
    match_phrase: {
      text: text
        .slice(text.length / 2)
        .split(' ')
        .slice(1, 6)
        .join(' '),
    },
  };
  assert.equal(await engine.count({ indices: ['a'], query: phrase }), 1);
});

test('it is sealed in slices', async () => {
  const turns = await turnsOf(() => engine.indices.flush(['a']));
  assert.ok(turns > 8, `${turns} turns`);
});

test('an index that is removed beside aliases waits for the large document that is being written', async () => {
  for (let round = 0; round < 3; round++) {
    await engine.indices.create('gone', {});
    const words = Array.from({ length: 20_000 }, (_, i) => `${WORDS[i % WORDS.length]}${i}`);
    const large = Buffer.from(JSON.stringify({ [`f${round}`]: words, [`g${round}`]: words }));
    const written = engine.write([{ kind: 'index', index: 'gone', id: 'large', source: large }]);
    await setTimeout(20 * round);
    await engine.indices.updateAliases([{ removeIndex: { index: 'gone' } }]);
    assert.equal((await written)[0]!.error, undefined);
    assert.equal(engine.indices.info('gone'), undefined);
  }
});

test('documents beyond a limit of their index are refused, whoever parses them', async () => {
  const settings = { 'index.mapping.nested_objects.limit': '3' };
  await engine.indices.create('few', { settings, mappings: { properties: { c: { type: 'nested' } } } });
  const put = async (count: number, bulk: number, pad = ''): Promise<(string | undefined)[]> => {
    const source = Buffer.from(JSON.stringify({ c: Array.from({ length: count }, (_, x) => ({ x })), pad }));
    const ops = Array.from(
      { length: bulk },
      (_, i) => ({ kind: 'index', index: 'few', id: `${i}`, source }) as const,
    );
    return (await engine.write(ops)).map(({ error }) => error?.type);
  };
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(new Set(await put(2, 2_000)), new Set([undefined]));
    assert.deepEqual(new Set(await put(4, 2_000)), new Set(['mapper_parsing_exception']));
    assert.deepEqual(new Set(await put(4, 1, 'x'.repeat(200_000))), new Set(['mapper_parsing_exception']));
  }
});
