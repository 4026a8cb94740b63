// Units packed by the first format version stay readable. The vocabulary and the unit are in test/fixtures. The unit contains
// words with codes of one byte and of two, and literal runs of all kinds.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LITERAL, LITERAL_MAX, LITERAL_SHORT } from './code.ts';
import { fillRecords, RECORD_BYTES, unpackUnit } from './unpack-unit.ts';
import { readVocabulary } from './vocabulary.ts';
import { WordPacking } from './word-packing.ts';

const file = new URL('../../../test/fixtures/units-v1/unit.json', import.meta.url);
const fixture: Record<string, readonly string[]> = JSON.parse(readFileSync(file, 'utf8'));
const [vocabulary, packed, bytes] = ['vocabulary', 'packed', 'bytes'].map(
  (name) => new Uint8Array(Buffer.from(fixture[name]!.join(''), 'base64')),
) as [Uint8Array, Uint8Array, Uint8Array];
const { short, lengths, words } = readVocabulary(vocabulary);

/** Of each kind of code, how many the unit has. */
function kindsOf(unit: Uint8Array): Record<'short' | 'long' | 'run' | 'longRun', number> {
  const kinds = { short: 0, long: 0, run: 0, longRun: 0 };
  for (let at = 0; at < unit.length; ) {
    const first = unit[at++]!;
    if (first < short) kinds.short++;
    else if (first < LITERAL) {
      kinds.long++;
      at++;
    } else if (first < LITERAL + LITERAL_SHORT) {
      kinds.run++;
      at += first - LITERAL + 1;
    } else {
      kinds.longRun++;
      at += 1 + LITERAL_SHORT + 1 + unit[at]!;
    }
  }
  return kinds;
}

test('a unit of the first version is read as it was', () => {
  assert.ok(Object.values(kindsOf(packed)).every((count) => count > 0));
  const into = new Uint8Array(bytes.length);
  assert.ok(new WordPacking(vocabulary).unpack(packed, bytes.length, into, 0));
  assert.deepEqual(into, bytes);
});

test('and by the twin', () => {
  const records = new Uint8Array((short + (LITERAL - short) * 256) * RECORD_BYTES);
  fillRecords({ short, records, strings: words }, lengths);
  const target = new Uint8Array(bytes.length + LITERAL_MAX);
  const all = bytes.length;
  assert.equal(
    unpackUnit({ short, records, strings: words }, packed, 0, packed.length, target, 0, all, all),
    all,
  );
  assert.deepEqual(target.subarray(0, all), bytes);
});
