// Positions are correct beyond 16 bits. In a text of more than 65,536 words, searches find its phrases, but no phrases that a
// wrapped position would create. This holds in the tail and after the seal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { open } from '../src/engine/start/open.ts';

const WORDS = 70_000;

test('phrases behind the 65,536th word', async () => {
  const engine = await open('data', { disk: new SimulatedDisk() });
  const text = Array.from({ length: WORDS }, (_, i) => `w${i}`).join(' ');
  const put = (id: string, t: string): Promise<unknown> =>
    engine.write([{ kind: 'index', index: 'i', id, source: Buffer.from(JSON.stringify({ t })) }]);
  const found = async (phrase: string): Promise<unknown> => {
    const query = { match_phrase: { t: phrase } };
    return (await engine.search({ indices: ['i'], query, size: 1, trackTotalHits: true })).total?.value;
  };
  const check = async (): Promise<void> => {
    assert.equal(await found('w69998 w69999'), 1);
    assert.equal(await found('w65535 w65536'), 1);
    assert.equal(await found('w3 w65540'), 0);
    assert.equal(await found('short text'), 1);
  };
  await put('long', text);
  await put('short', 'a short text');
  await check();
  await engine.indices.flush(['i']);
  await check();
  await engine.close();
});
