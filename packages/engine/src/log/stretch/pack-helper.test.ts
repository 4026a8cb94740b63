// The packing thread never packs with other words than it is told, and its memory is reused for one append at
// a time.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { learnVocabulary } from '../packed/learn-vocabulary.ts';
import { documents } from '../packed/samples.testing.ts';
import type { PackedUnits } from '../packed/word-packing.ts';
import { UNIT, WordPacking } from '../packed/word-packing.ts';
import type { VocabularyBytes } from './codec.ts';
import { PackHelper } from './pack-helper.ts';

const thread = new PackHelper(new URL('./pack-thread.ts', import.meta.url));
after(() => thread.close());

const bytes = documents(150_000, 1);
const words: VocabularyBytes = { crc: 1, bytes: learnVocabulary(bytes)! };

function unpacked({ packed, ends }: PackedUnits, length: number): Uint8Array {
  const packing = new WordPacking(words.bytes);
  const back = new Uint8Array(length);
  for (let i = 0, from = 0; i < ends.length; from = ends[i++]!) {
    const at = i * UNIT;
    assert.ok(packing.unpack(packed.subarray(from, ends[i]), Math.min(UNIT, length - at), back, at));
  }
  return back;
}

test('words that do not open are never replaced by those before, and are sent again', async () => {
  const made = await thread.pack(words, [bytes], bytes.length);
  assert.deepEqual(unpacked(made!, bytes.length), bytes);
  const broken: VocabularyBytes = { crc: 2, bytes: Uint8Array.of(1, 2, 3) };
  assert.equal(await thread.pack(broken, [bytes], bytes.length), undefined);
  assert.equal(await thread.pack(broken, [bytes], bytes.length), undefined);
  const again = await thread.pack(words, [bytes], bytes.length);
  assert.deepEqual(unpacked(again!, bytes.length), bytes);
});

test('what was packed stays as it is until it is written, whatever is packed meanwhile', async () => {
  const others = documents(200_000, 2);
  const made = (await thread.pack(words, [bytes], bytes.length))!;
  const copy = made.packed.slice();
  await Promise.all([1, 2, 3].map(() => thread.pack(words, [others], others.length)));
  assert.deepEqual(made.packed, copy);
  thread.recycle(made);
  const next = (await thread.pack(words, [bytes], bytes.length))!;
  assert.deepEqual(next.packed, copy);
});
