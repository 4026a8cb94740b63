// One run at a time uses a scratch buffer, and the next run reuses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysis } from '../../analysis/registry.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Tail } from '../tail.ts';
import { recycleScratch, takeScratch } from './inversion-scratch.ts';

const memory = createMemory();
const mapping = parseMapping({ properties: { text: { type: 'text' } } }, buildAnalysis({}));

/** Texts of sixty words out of `kinds`. */
function tailOf(docs: number, kinds: number): Tail {
  const tail = new Tail(memory);
  for (let i = 0; i < docs; i++) {
    const text = Array.from({ length: 60 }, (_, k) => `w${(i * 31 + k * 7) % kinds}`).join(' ');
    const source = Buffer.from(JSON.stringify({ text }));
    const id = Buffer.from(`d${i}`);
    const place = { chunk: 1, offset: i, length: source.length, routing: undefined };
    tail.begin({ id, seqNo: i, version: 1, commit: 1, type: '_doc', ...place });
    mapDocument(mapping, source, 0, source.length, tail, { id: `d${i}` });
    tail.end();
  }
  tail.commit();
  return tail;
}

test('what a run that was given up has counted is not counted for the next', () => {
  const leave = memory.beginReading();
  const clean = Buffer.from(tailOf(300, 40).leaves()[0]!.bytes);
  for (let steps = 1; steps < 12; steps++) {
    const given = tailOf(900, 5_000).prepare(1);
    for (let step = 0; step < steps; step++) given.next();
    given.return();
    assert.deepEqual(Buffer.from(tailOf(300, 40).leaves()[0]!.bytes), clean, `given up after ${steps} steps`);
  }
  leave();
});

test('runs that are written by turns have scratch of their own; one that is done leaves it to the next', () => {
  const first = takeScratch();
  const second = takeScratch();
  assert.notEqual(first, second);
  recycleScratch(first);
  assert.equal(takeScratch(), first);
  assert.notEqual(takeScratch(), first);
});

test('what has grown very large is not kept', () => {
  const scratch = takeScratch();
  scratch.writer.begin(undefined, true);
  scratch.writer.reserve(0, 64 << 20);
  recycleScratch(scratch);
  assert.notEqual(takeScratch(), scratch);
});
