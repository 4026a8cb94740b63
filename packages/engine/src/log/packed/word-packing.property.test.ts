// Any bytes survive packing and unpacking, by the kernel and by its twin. Unpacking damaged units stays within their bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../disk/random.ts';
import { LITERAL, LITERAL_MAX } from './code.ts';
import { learnVocabulary } from './learn-vocabulary.ts';
import { packUnit } from './pack-unit.ts';
import { documents } from './samples.testing.ts';
import { fillRecords, RECORD_BYTES, unpackUnit, type WordTable } from './unpack-unit.ts';
import { readVocabulary } from './vocabulary.ts';
import { fillEntries, makeDictionary, type WordDictionary } from './word-dictionary.ts';
import { type PackedUnits, UNIT, WordPacking } from './word-packing.ts';

const FILL = 0xa5;
const sample = documents(200_000, 1);
const vocabulary = learnVocabulary(sample)!;
const packing = new WordPacking(vocabulary);
const twin = twinOf(vocabulary);

/** Bytes of all kinds, one behind the other: random ones, runs, text, documents. */
const mixtures: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 700 }))
        .map(([byte, n]) => new Uint8Array(n).fill(byte)),
      fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer()).map(([n, seed]) => documents(n, seed)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

function twinOf(from: Uint8Array): WordTable & { readonly dictionary: WordDictionary } {
  const { short, lengths, words: strings } = readVocabulary(from);
  const records = new Uint8Array((short + (LITERAL - short) * 256) * RECORD_BYTES);
  fillRecords({ short, records, strings }, lengths);
  const entries = new Uint32Array(lengths.length);
  fillEntries(entries, lengths);
  return { short, records, strings, dictionary: makeDictionary(strings, entries) };
}

function unitsOf({ packed, ends }: PackedUnits): Uint8Array[] {
  return [...ends].map((end, i) => packed.subarray(i === 0 ? 0 : ends[i - 1], end));
}

/** The unit by the twin, or undefined; checks that nothing else was written. */
function unpackByTwin(unit: Uint8Array, length: number, upTo: number): Uint8Array | undefined {
  if (unit.length === length) return unit.subarray(0, upTo);
  const target = new Uint8Array(length + LITERAL_MAX + 64).fill(FILL);
  const made = unpackUnit(twin, unit, 0, unit.length, target, 0, length, upTo);
  assert.ok(target.subarray(length + LITERAL_MAX).every((byte) => byte === FILL));
  return made < 0 ? undefined : target.subarray(0, upTo);
}

/** The unit by the kernel, or undefined; checks that nothing else was written. */
function unpackByKernel(unit: Uint8Array, length: number, upTo: number): Uint8Array | undefined {
  const into = new Uint8Array(length + 128).fill(FILL);
  const isRight = packing.unpack(unit, length, into, 64, upTo);
  const isGuard = (_: number, at: number): boolean => at < 64 || at >= 64 + upTo;
  assert.ok(
    into.filter(isGuard).every((byte) => byte === FILL),
    'written outside',
  );
  return isRight ? into.slice(64, 64 + upTo) : undefined;
}

test('any bytes come back, from the kernel as from the twin, whole or in part', () => {
  fc.assert(
    fc.property(mixtures, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
      const made = packing.pack(bytes);
      assert.ok(made.packed.length <= bytes.length);
      assert.equal(made.ends.length, Math.ceil(bytes.length / UNIT));
      const back = new Uint8Array(bytes.length);
      unitsOf(made).forEach((unit, i) => {
        const from = i * UNIT;
        const whole = bytes.subarray(from, from + UNIT);
        const target = new Uint8Array(2 * UNIT + LITERAL_MAX);
        const end = packUnit(twin.dictionary, twin.short, whole, 0, whole.length, target, 0);
        assert.deepEqual(unit, target.subarray(0, end), 'twin');
        assert.ok(packing.unpack(unit, whole.length, back, from));
        const upTo = Math.floor(whole.length * share);
        assert.deepEqual(unpackByKernel(unit, whole.length, upTo), whole.slice(0, upTo));
        assert.deepEqual(unpackByTwin(unit, whole.length, upTo), whole.subarray(0, upTo));
      });
      assert.deepEqual(back, bytes);
    }),
    { numRuns: 150 },
  );
});

test('damaged units end inside their bounds, the same in the kernel as in the twin', () => {
  const units = unitsOf(packing.pack(documents(60_000, 2)));
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.nat(units.length - 1),
      damage,
      fc.nat(UNIT),
      fc.nat(UNIT),
      fc.boolean(),
      (which, bytes, cut, claim, isWhole) => {
        const unit = units[which]!.slice(0, isWhole ? undefined : cut);
        for (const [at, byte] of bytes) if (unit.length > 0) unit[at % unit.length] = byte;
        const length = isWhole ? UNIT : claim;
        if (unit.length > length) return assert.equal(unpackByKernel(unit, length, length), undefined);
        assert.deepEqual(unpackByKernel(unit, length, length), unpackByTwin(unit, length, length));
      },
    ),
    { numRuns: 500 },
  );
});

test('bytes that were never packed are none of any length, or some bytes of just that length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(UNIT), fc.nat(UNIT), (unit, length, upTo) => {
      const wanted = Math.min(length, upTo);
      if (unit.length > length) return assert.equal(unpackByKernel(unit, length, wanted), undefined);
      assert.deepEqual(unpackByKernel(unit, length, wanted), unpackByTwin(unit, length, wanted));
    }),
    { numRuns: 500 },
  );
});

test('what was cut off a unit is missed', () => {
  const [unit] = unitsOf(packing.pack(sample.subarray(0, UNIT)));
  for (let length = 0; length < unit!.length; length += 7)
    assert.equal(unpackByKernel(unit!.subarray(0, length), UNIT, UNIT), undefined);
});

test('between four units and the next there is room for others', () => {
  let calls = 0;
  const bytes = documents(40 * UNIT, 8);
  const made = packing.pack(bytes, undefined, () => calls++);
  assert.equal(calls, Math.ceil(bytes.length / (4 * UNIT)));
  assert.deepEqual(made, packing.pack(bytes));
});

test('bytes can be packed in their own place', () => {
  const random = seededRandom(9);
  const noise = Uint8Array.from({ length: 3 * UNIT }, () => random() * 256);
  const place = new Uint8Array(Buffer.concat([documents(70_000, 9), noise, documents(70_000, 10)]));
  const wanted = packing.pack(place.slice());
  assert.deepEqual(packing.pack(place, place), wanted);
});
