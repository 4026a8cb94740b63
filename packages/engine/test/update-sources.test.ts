// The source that an update answered, a reader holds, or a later operation of the same batch starts from
// stays as it was, while the memory of overwritten sources is reused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, type WriteOp, type WriteResult } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const DOCS = 600;
const ROUNDS = 12;
const ROOM = 'x'.repeat(2_000);

const sourceOf = (n: number, score: number): string =>
  JSON.stringify({ n, score, text: `${n} ${ROOM} ${n}` });
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Answers of a round, with what they have to say for ever. */
interface Held {
  readonly bytes: Uint8Array;
  readonly says: string;
}

test('sources stay as they were, whoever has them, while updates write over everything', async () => {
  // Each round is over a megabyte, a slab; three of them are kept to be built in again.
  const engine = await open('', { disk: new SimulatedDisk(), ballastBytes: 0, logCacheBytes: 12 << 20 });
  await engine.indices.create('a', { mappings: { properties: { text: { type: 'keyword', index: false } } } });
  const filled = Array.from({ length: DOCS }, (_, n): WriteOp => {
    return { kind: 'index', index: 'a', id: `${n}`, source: Buffer.from(sourceOf(n, 0)) };
  });
  await engine.write(filled);
  const held: Held[] = [];
  const hold = ({ source }: Pick<WriteResult, 'source'>, n: number, score: number): void => {
    held.push({ bytes: source!, says: sourceOf(n, score) });
  };
  const update = (n: number, score: number, wantsSource: boolean): WriteOp => {
    const doc = Buffer.from(`{"score":${score}}`);
    return {
      kind: 'update',
      index: 'a',
      id: `${n}`,
      update: { doc, ...(wantsSource ? {} : { wantsSource }) },
    };
  };
  for (let round = 1; round <= ROUNDS; round++) {
    // In some rounds every third is answered, each seventh is changed twice and asked for a third time: a
    // noop.
    const wants = (n: number): boolean => round % 4 === 0 && n % 3 === 0;
    const ops: WriteOp[] = [];
    const expect: ((result: WriteResult) => void)[] = [];
    for (let n = 0; n < DOCS; n++) {
      const scores = round % 4 === 0 && n % 7 === 0 ? [round + 0.5, round, round] : [round];
      scores.forEach((score, i) => {
        ops.push(update(n, score, wants(n)));
        expect.push((result) => {
          assert.equal(result.result, i === 2 ? 'noop' : 'updated', `${n} in round ${round}`);
          if (wants(n)) hold(result, n, score);
          else assert.equal(result.source, undefined);
        });
      });
    }
    const half = ops.length >> 1;
    const results = (
      await Promise.all([engine.write(ops.slice(0, half)), engine.write(ops.slice(half))])
    ).flat();
    for (const [i, result] of results.entries()) expect[i]!(result);
    if (round % 4 !== 1) continue;
    // A noop of what the batches before have written, and a get.
    const [same] = await engine.write([update(1, round, true)]);
    assert.equal(same!.result, 'noop');
    hold(same!, 1, round);
    hold(engine.get('a', '2')!, 2, round);
  }
  for (const { bytes, says } of held) assert.equal(text(bytes), says);
  for (let n = 0; n < DOCS; n++) assert.equal(text(engine.get('a', `${n}`)!.source), sourceOf(n, ROUNDS));
  await engine.close();
});
