// Learning a vocabulary is deterministic. The vocabulary is small and saves more than its codes cost. Opening invalid
// vocabularies fails.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../disk/random.ts';
import { WORD_MAX } from './code.ts';
import { learnVocabulary } from './learn-vocabulary.ts';
import { documents } from './samples.testing.ts';
import { readVocabulary, writeVocabulary } from './vocabulary.ts';
import { WordPacking } from './word-packing.ts';

const samples = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.uint8Array({ max: 3, maxLength: 3000 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }).map((text) => new TextEncoder().encode(text.repeat(9))),
  fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.integer()).map(([bytes, seed]) => documents(bytes, seed)),
);

test('the same sample gives the same words, in one form only', () => {
  const sample = documents(100_000, 3);
  const vocabulary = learnVocabulary(sample)!;
  assert.deepEqual(learnVocabulary(sample.slice()), vocabulary);
  assert.deepEqual(writeVocabulary(readVocabulary(vocabulary)), vocabulary);
  assert.ok(vocabulary.length <= 1 << 18);
});

test('documents like those of the sample take less than half', () => {
  const packing = new WordPacking(learnVocabulary(documents(200_000, 4))!);
  const others = documents(50_000, 5);
  assert.ok(packing.pack(others).packed.length < others.length * 0.45);
});

test('texts without spaces are spelled by pieces of them', () => {
  const text = (seed: number): Uint8Array => {
    const random = seededRandom(seed);
    const syllables = ['搜索', '页面', '文档', '数据', '引擎', '速度', '的', '是'];
    const one = (): string => syllables[Math.floor(random() ** 2 * 8)]!;
    return new TextEncoder().encode(Array.from({ length: 9_000 }, one).join(''));
  };
  const packing = new WordPacking(learnVocabulary(text(1))!);
  const others = text(2);
  assert.ok(packing.pack(others).packed.length < others.length * 0.5);
});

test('where nothing can be learnt there is no vocabulary', () => {
  assert.equal(learnVocabulary(new Uint8Array(0)), undefined);
  assert.equal(learnVocabulary(randomBytes(50_000)), undefined);
});

test('any sample gives a vocabulary that can be read, or none', () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const vocabulary = learnVocabulary(sample);
      if (vocabulary === undefined) return;
      const { lengths } = readVocabulary(vocabulary);
      assert.ok(lengths.every((length) => length >= 1 && length <= WORD_MAX));
    }),
    { numRuns: 60 },
  );
});

test('what is no vocabulary is refused, or is one all the same', () => {
  const vocabulary = learnVocabulary(documents(60_000, 6))!;
  const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(damage, fc.nat(3), (bytes, cut) => {
      const damaged = vocabulary.slice(0, vocabulary.length - cut);
      for (const [at, byte] of bytes) damaged[at] = byte;
      try {
        assert.deepEqual(writeVocabulary(readVocabulary(damaged)), damaged);
      } catch (error) {
        assert.match(String(error), /vocabulary/);
        return;
      }
      const packing = new WordPacking(damaged);
      const text = documents(9_000, 7);
      const { packed, ends } = packing.pack(text);
      const back = new Uint8Array(text.length);
      for (let i = 0, from = 0; i < ends.length; from = ends[i++]!)
        assert.ok(
          packing.unpack(
            packed.subarray(from, ends[i]),
            Math.min(4096, text.length - i * 4096),
            back,
            i * 4096,
          ),
        );
      assert.deepEqual(back, text);
    }),
    { numRuns: 100 },
  );
});
