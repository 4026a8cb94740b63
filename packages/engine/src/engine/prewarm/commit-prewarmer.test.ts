// A search that follows a write finds everything ready if there was a search before the write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import type { Engine, SearchRequest } from '../../index.ts';
import type { ReadScope } from '../../tail/minis/mini-lists.ts';
import type { IndexTable } from '../indices/index-table.ts';
import { open } from '../start/open.ts';

const encoder = new TextEncoder();
const LIST: SearchRequest = { indices: ['i'], sort: [{ n: 'desc' }], size: 3 };
const WORDS: SearchRequest = { indices: ['i'], query: { match: { t: 'word' } }, size: 3 };

async function put(engine: Engine, from: number, count: number): Promise<void> {
  const ops = Array.from({ length: count }, (_, i) => {
    const n = from + i;
    const source = encoder.encode(JSON.stringify({ n, k: `k${n}`, t: `word w${n}` }));
    return { kind: 'index', index: 'i', id: `d${n}`, source } as const;
  });
  await engine.write(ops);
}

/** How many documents the next search would have to make searchable. */
function uninverted(engine: Engine, scope: ReadScope): number {
  return (engine.indices as IndexTable).state('i').countUninverted(engine.snapshot(), scope);
}

const first = async (engine: Engine, request: SearchRequest): Promise<string[]> =>
  (await engine.search(request)).hits.map(({ id }) => id);

test('what a commit brings is ready for the searches that were there before it, and only for those', async () => {
  const engine = await open('', { disk: new SimulatedDisk({ seed: 1 }) });
  await put(engine, 0, 200);
  // Nobody has searched.
  assert.equal(uninverted(engine, 'withoutText'), 200);
  assert.deepEqual(await first(engine, LIST), ['d199', 'd198', 'd197']);
  assert.equal(uninverted(engine, 'withoutText'), 0);
  await put(engine, 200, 300);
  // A list is ready, words are not.
  assert.equal(uninverted(engine, 'withoutText'), 0);
  assert.notEqual(uninverted(engine, 'all'), 0);
  assert.deepEqual(await first(engine, LIST), ['d499', 'd498', 'd497']);
  assert.equal((await engine.search(WORDS)).total?.value, 500);
  await put(engine, 500, 100);
  assert.equal(uninverted(engine, 'all'), 0);
  assert.equal((await engine.search(WORDS)).total?.value, 600);
  // A list again and again, until nobody has asked for long.
  await first(engine, LIST);
  let ready = 0;
  for (let commit = 0; commit < 40; commit++) {
    await put(engine, 600 + 100 * commit, 100);
    if (uninverted(engine, 'withoutText') === 0) ready++;
  }
  assert.ok(ready >= 10 && ready < 25, `${ready} commits were made ready`);
  assert.deepEqual(await first(engine, LIST), ['d4599', 'd4598', 'd4597']);
  await engine.close();
});
