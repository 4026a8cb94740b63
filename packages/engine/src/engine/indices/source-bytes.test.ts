// The cached sum of source bytes equals the counted one: for older snapshots, after deletes and after merges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { WriteOp } from '../../api.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import type { DocumentRangeTable } from '../../segment/leaf.ts';
import { open } from '../start/open.ts';
import { SourceBytes } from './source-bytes.ts';

test('sums of prefixes are those of a loop, in any order', () => {
  const lengths = fc.array(fc.nat(2 ** 31), { maxLength: 50 });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(50)), (all, asked) => {
      const sums = new SourceBytes();
      let looks = 0;
      const sourceLength = (doc: number): number => {
        looks++;
        return all[doc]!;
      };
      const docs = { sourceLength } as unknown as DocumentRangeTable;
      let last = 0;
      for (const each of asked) {
        const count = Math.min(each, all.length);
        looks = 0;
        assert.equal(
          sums.ofFirst(docs, count),
          all.slice(0, count).reduce((sum, length) => sum + length, 0),
        );
        assert.equal(looks, Math.abs(count - last));
        last = count;
      }
    }),
  );
});

test('an index tells the bytes of what it has, refreshed or not, written over, deleted and merged', async () => {
  const disk = new SimulatedDisk();
  const options = { disk, tailDocs: 16, logChunkBytes: 4096, ballastBytes: 0 };
  let engine = await open('', options);
  await engine.indices.create('a', { settings: { 'index.refresh_interval': '-1' } });
  const source = (k: number): Uint8Array => Buffer.from(JSON.stringify({ text: 'x'.repeat(k % 37) }));
  const live = new Map<string, number>();
  const bytes = (): number => [...live.values()].reduce((sum, length) => sum + length, 0);
  const said = (): number => engine.indices.stats('a').sourceBytes;
  const write = async (from: number, to: number): Promise<void> => {
    const ops: WriteOp[] = [];
    for (let k = from; k < to; k++) {
      ops.push({ kind: 'index', index: 'a', id: String(k), source: source(k) });
      live.set(String(k), source(k).length);
    }
    for (const result of await engine.write(ops)) assert.equal(result.error, undefined);
  };
  await write(0, 100);
  assert.equal(said(), 0, 'nothing of it is searchable yet');
  await engine.indices.refresh(['a']);
  assert.equal(said(), bytes());
  await write(100, 150);
  const before = bytes();
  assert.ok(said() < before);
  await engine.indices.refresh(['a']);
  assert.equal(said(), before);
  await engine.write(
    Array.from({ length: 40 }, (_, k): WriteOp => ({ kind: 'delete', index: 'a', id: String(k * 3) })),
  );
  for (let k = 0; k < 40; k++) live.delete(String(k * 3));
  await engine.indices.refresh(['a']);
  assert.equal(said(), before, 'what is dead is there until a merge');
  await engine.indices.forceMerge(['a'], 1);
  assert.equal(said(), bytes());
  await engine.close();
  engine = await open('', options);
  assert.equal(said(), bytes());
  await engine.close();
});
