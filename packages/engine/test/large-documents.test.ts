// A document of megabytes delays no other request: the event loop turns while its text is inverted for a search, and while it is
// sealed. Nothing is measured in time: turns are counted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
