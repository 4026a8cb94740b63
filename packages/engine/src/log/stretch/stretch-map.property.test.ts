// The map finds every stretch, its position, its length and its checksums: against a plain list, over appends of all kinds,
// gaps, vocabularies, replacements and cuts. Also its memory for small writes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNIT } from '../packed/word-packing.ts';
import { type FileStretch, headLength, stretchEnd, type UnitTable, unitsOf } from './stretch.ts';
import { StretchMap } from './stretch-map.ts';

const BEGIN = 64;

interface Known {
  readonly stretch: FileStretch;
  readonly table: UnitTable;
}

function made(
  kind: FileStretch['kind'],
  place: number,
  start: number,
  length: number,
  isSummed = true,
): Known {
  const units = kind === 'packed' ? Math.ceil(length / UNIT) : 0;
  const payload = kind === 'raw' ? length : kind === 'packed' ? units * 100 : 45;
  const vocabulary = kind === 'raw' ? 0 : 77 + (place % 3);
  const stretch: FileStretch = {
    ...{ kind, place, chunk: 1, start, payload, vocabulary, isSummed },
    length: kind === 'vocabulary' ? 0 : length,
  };
  const ends = Uint32Array.from(
    { length: units },
    (_, unit) => place + headLength(stretch) + (unit + 1) * 100,
  );
  const sums = Uint32Array.from(
    { length: isSummed ? unitsOf(stretch) : 0 },
    (_, unit) => (place * 31 + unit) * 7,
  );
  return { stretch, table: { ends, sums } };
}

function assertKnows(map: StretchMap, known: readonly Known[]): void {
  assert.equal(map.count, known.length);
  const last = known.at(-1)?.stretch;
  assert.equal(map.size, last === undefined ? 0 : last.start + last.length);
  for (const [i, { stretch, table }] of known.entries()) {
    assert.equal(map.startOf(i), stretch.start);
    assert.equal(map.stopOf(i), stretch.start + stretch.length);
    assert.equal(map.placeOf(i), stretch.place + headLength(stretch));
    assert.equal(map.fileEnd(i), stretchEnd(stretch));
    assert.equal(map.vocabularyOf(i), stretch.vocabulary);
    for (const [unit, end] of table.ends.entries()) assert.equal(map.unitPlace(i, unit + 1), end);
    for (const [unit, sum] of table.sums.entries()) assert.equal(map.sumOf(i, unit), sum);
    const next = known[i + 1]?.stretch.start ?? stretch.start + stretch.length + 9;
    for (const offset of [stretch.start, next - 1]) assert.equal(map.find(offset), i);
  }
  assert.equal(map.find((known[0]?.stretch.start ?? 1) - 1), -1);
}

const step = fc.record({
  kind: fc.constantFrom<FileStretch['kind'] | 'cut'>('raw', 'raw', 'raw', 'packed', 'vocabulary', 'cut'),
  length: fc.integer({ min: 1, max: 9_000 }),
  /** Bytes of the file before it that are none. */
  stray: fc.constantFrom(0, 0, 0, 0, 13),
  /** Where it begins: behind the last one, after a gap, or in place of some of the last. */
  back: fc.constantFrom(0, 0, 0, 0, -16, 1, 2),
});

test('what is told is known, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isSummed) => {
      const map = new StretchMap(BEGIN);
      let known: Known[] = [];
      for (const { kind, length, stray, back } of steps) {
        const start = back > 0 ? known.at(-back)?.stretch.start : undefined;
        const at = start ?? Math.max(map.size, BEGIN) + Math.max(0, -back);
        if (kind === 'cut') {
          known = known.filter(({ stretch }) => stretch.start < at);
          assert.equal(map.truncate(at), known.length === 0 ? BEGIN : stretchEnd(known.at(-1)!.stretch));
        } else {
          const one = made(kind, map.end + stray, at, length, isSummed);
          map.add(one.stretch, one.table);
          if (kind !== 'vocabulary') known = [...known.filter(({ stretch }) => stretch.start < at), one];
        }
        assertKnows(map, known);
      }
    }),
  );
});

test('a map of small writes takes 8 bytes for each, one of packed ones two thousandths', () => {
  const small = new StretchMap(BEGIN);
  for (let i = 0; i < 65_536; i++) {
    const { stretch, table } = made('raw', small.end, Math.max(small.size, BEGIN), 1_000);
    small.add(stretch, table);
  }
  assert.equal(small.count, 65_536);
  assert.ok(small.bytes <= 65_536 * 8 + 1_000, `${small.bytes} bytes`);
  const packed = new StretchMap(BEGIN);
  while (packed.size < 64 << 20) {
    const { stretch, table } = made('packed', packed.end, Math.max(packed.size, BEGIN), 256 * UNIT);
    packed.add(stretch, table);
  }
  // It grows by doubling.
  assert.ok(packed.bytes <= (packed.size / 500) * 2.1, `${packed.bytes} bytes`);
});
