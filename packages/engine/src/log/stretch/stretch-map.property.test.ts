// The map returns the position and extent of every added stretch, compared with a plain list. The operations are appends of all
// kinds, gaps in the file, vocabularies between stretches, replacements and cuts. A further test measures the memory per small
// write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNIT } from '../packed/word-packing.ts';
import { type FileStretch, headLength, stretchEnd } from './stretch.ts';
import { StretchMap } from './stretch-map.ts';

const BEGIN = 64;

interface Known {
  readonly stretch: FileStretch;
  readonly ends: Uint32Array;
}

function made(kind: FileStretch['kind'], place: number, start: number, length: number): Known {
  const units = kind === 'packed' ? Math.ceil(length / UNIT) : 0;
  const payload = kind === 'raw' ? length : kind === 'packed' ? units * 100 : 45;
  const vocabulary = kind === 'raw' ? 0 : 77 + (place % 3);
  const stretch: FileStretch = {
    ...{ kind, place, chunk: 1, start, payload, vocabulary, units },
    length: kind === 'vocabulary' ? 0 : length,
  };
  const ends = Uint32Array.from(
    { length: units },
    (_, unit) => place + headLength(stretch) + (unit + 1) * 100,
  );
  return { stretch, ends };
}

function assertKnows(map: StretchMap, known: readonly Known[]): void {
  assert.equal(map.count, known.length);
  const last = known.at(-1)?.stretch;
  assert.equal(map.size, last === undefined ? 0 : last.start + last.length);
  for (const [i, { stretch, ends }] of known.entries()) {
    assert.equal(map.startOf(i), stretch.start);
    assert.equal(map.stopOf(i), stretch.start + stretch.length);
    assert.equal(map.placeOf(i), stretch.place + headLength(stretch));
    assert.equal(map.fileEnd(i), stretchEnd(stretch));
    assert.equal(map.vocabularyOf(i), stretch.vocabulary);
    for (const [unit, end] of ends.entries()) assert.equal(map.unitPlace(i, unit + 1), end);
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
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const map = new StretchMap(BEGIN);
      let known: Known[] = [];
      for (const { kind, length, stray, back } of steps) {
        const start = back > 0 ? known.at(-back)?.stretch.start : undefined;
        const at = start ?? Math.max(map.size, BEGIN) + Math.max(0, -back);
        if (kind === 'cut') {
          known = known.filter(({ stretch }) => stretch.start < at);
          assert.equal(map.truncate(at), known.length === 0 ? BEGIN : stretchEnd(known.at(-1)!.stretch));
        } else {
          const one = made(kind, map.end + stray, at, length);
          map.add(one.stretch, one.ends);
          if (kind !== 'vocabulary') known = [...known.filter(({ stretch }) => stretch.start < at), one];
        }
        assertKnows(map, known);
      }
    }),
  );
});

test('a map of small writes takes 4 bytes for each, one of packed ones a thousandth', () => {
  const small = new StretchMap(BEGIN);
  for (let i = 0; i < 65_536; i++)
    small.add(made('raw', small.end, Math.max(small.size, BEGIN), 1_000).stretch, new Uint32Array(0));
  assert.equal(small.count, 65_536);
  assert.ok(small.bytes <= 65_536 * 4 + 1_000, `${small.bytes} bytes`);
  const packed = new StretchMap(BEGIN);
  while (packed.size < 64 << 20) {
    const { stretch, ends } = made('packed', packed.end, Math.max(packed.size, BEGIN), 256 * UNIT);
    packed.add(stretch, ends);
  }
  // It grows by doubling.
  assert.ok(packed.bytes <= (packed.size / 1_000) * 2.1, `${packed.bytes} bytes`);
});
