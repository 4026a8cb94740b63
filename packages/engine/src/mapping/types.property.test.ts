// Field types, keys, dates and wildcards against simple models.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { civilOf, daysOf } from './dates/calendar.ts';
import { dateFormat } from './dates/date-format.ts';
import { dateMath } from './dates/date-math.ts';
import { UTC, zoneOf } from './dates/zone.ts';
import { dateType } from './types/dates.ts';
import { floatType, ROUND } from './types/floats.ts';
import { toHalf } from './types/half-float.ts';
import { INTEGERS, integerType } from './types/integers.ts';
import { IP, parseIp, printIp } from './types/ip.ts';
import { keywordType } from './types/keywords.ts';
import {
  compareKeys,
  doubleKey,
  doubleOf,
  longKey,
  longOf,
  unsignedKey,
  unsignedOf,
} from './types/sortable-key.ts';
import type { Key64, NumericType, RangeBounds } from './types/type.ts';
import { matchesPattern } from './wildcards.ts';

const long = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.maxSafeInteger().map(BigInt),
  fc.integer().map(BigInt),
);
const order = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const inside = (key: Key64, range: { min: Key64; max: Key64 } | undefined): boolean =>
  range !== undefined &&
  compareKeys(range.min.hi, range.min.lo, key.hi, key.lo) <= 0 &&
  compareKeys(key.hi, key.lo, range.max.hi, range.max.lo) <= 0;

test('keys sort as their values do and give them back', () => {
  fc.assert(
    fc.property(long, long, (a, b) => {
      const [x, y] = [longKey(a), longKey(b)];
      assert.equal(compareKeys(x.hi, x.lo, y.hi, y.lo), order(a, b));
      assert.equal(BigInt(longOf(x.hi, x.lo)), a);
      const [u, v] = [a, b].map((value) => BigInt.asUintN(64, value)) as [bigint, bigint];
      const [p, q] = [unsignedKey(u), unsignedKey(v)];
      assert.equal(compareKeys(p.hi, p.lo, q.hi, q.lo), order(u, v));
      assert.equal(BigInt(unsignedOf(p.hi, p.lo)), u);
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
      const [x, y] = [doubleKey(a), doubleKey(b)];
      if (a !== b) assert.equal(compareKeys(x.hi, x.lo, y.hi, y.lo), order(a, b));
      assert.ok(Object.is(doubleOf(x.hi, x.lo), a));
    }),
  );
});

/** Which of gt, gte, lt, lte are given, with their values. */
function boundsOf<T>(
  value: fc.Arbitrary<T>,
): fc.Arbitrary<{ lower: [string, T] | undefined; upper: [string, T] | undefined }> {
  return fc.record({
    lower: fc.option(fc.tuple(fc.constantFrom('gt', 'gte'), value), { nil: undefined }),
    upper: fc.option(fc.tuple(fc.constantFrom('lt', 'lte'), value), { nil: undefined }),
  });
}

function agrees(
  type: NumericType,
  stored: number,
  key: Key64,
  lower: [string, number] | undefined,
  upper: [string, number] | undefined,
): void {
  const bounds = Object.fromEntries([lower, upper].filter((one) => one !== undefined)) as RangeBounds;
  const expected =
    (lower === undefined || (lower[0] === 'gt' ? stored > lower[1] : stored >= lower[1])) &&
    (upper === undefined || (upper[0] === 'lt' ? stored < upper[1] : stored <= upper[1]));
  assert.equal(
    inside(
      key,
      type.range(bounds, () => 0),
    ),
    expected,
    `${stored} in ${JSON.stringify(bounds)}`,
  );
}

test('ranges of numbers hold exactly what comparison says, fractions and zeros included', () => {
  const near = fc.oneof(
    fc.integer({ min: -6, max: 6 }),
    fc.integer({ min: -12, max: 12 }).map((n) => n / 2),
    fc.constantFrom(-0, 1e30, -1e30),
  );
  fc.assert(
    fc.property(fc.integer({ min: -6, max: 6 }), boundsOf(near), (stored, { lower, upper }) => {
      agrees(integerType(INTEGERS.long), stored, longKey(stored), lower, upper);
      agrees(integerType(INTEGERS.byte), stored, longKey(stored), lower, upper);
    }),
    { numRuns: 1000 },
  );
  for (const name of ['double', 'float', 'half_float'] as const) {
    const value = fc
      .oneof(near, fc.double({ min: -100, max: 100, noNaN: true }))
      .map(ROUND[name])
      .filter(Number.isFinite);
    fc.assert(
      fc.property(value, boundsOf(value), (stored, { lower, upper }) => {
        agrees(floatType(name), stored, doubleKey(stored), lower, upper);
      }),
      { numRuns: 500 },
    );
  }
});

test('bounds between two values of a type move inwards, as the peer has it', () => {
  const half = floatType('half_float');
  for (const [stored, bounds, isIn] of [
    [toHalf(0.1), { gte: 0.1, lt: 0.5 }, false],
    [toHalf(0.1), { lt: 0.1 }, true],
    [1, { gte: 1.0002 }, false],
    [1, { gt: 0.9999 }, true],
    [65504, { gte: 65510 }, false],
    [65504, { lte: 65510 }, true],
    [0, { gte: 1e-9 }, false],
    [0, { gt: -1e-9, lt: 1e-9 }, true],
    [-0, { gte: -1e-9 }, true],
  ] as const) {
    const range = half.range(bounds as RangeBounds, () => 0);
    assert.equal(inside(doubleKey(stored), range), isIn, `${stored} in ${JSON.stringify(bounds)}`);
  }
  fc.assert(
    fc.property(
      fc.double({ min: -70_000, max: 70_000, noNaN: true }).map(toHalf).filter(Number.isFinite),
      boundsOf(fc.double({ min: -65_000, max: 65_000, noNaN: true }).map(Math.fround)),
      (stored, { lower, upper }) => agrees(half, stored, doubleKey(stored), lower, upper),
    ),
    { numRuns: 1_000 },
  );
});

test('bounds that are no numbers are refused, but of doubles, where they come last', () => {
  for (const [name, value, shown] of [
    ['float', 'NaN', 'NaN'],
    ['float', 1e40, 'Infinity'],
    ['half_float', 70_000, 'Infinity'],
    ['half_float', '-Infinity', '-Infinity'],
  ] as const) {
    for (const bound of ['gt', 'gte', 'lt', 'lte']) {
      assert.throws(() => floatType(name).range({ [bound]: value } as RangeBounds, () => 0), {
        message: `[${name}] supports only finite values, but got [${shown}]`,
      });
    }
  }
  const within = (stored: number, bounds: object): boolean =>
    inside(
      doubleKey(stored),
      floatType('double').range(bounds as RangeBounds, () => 0),
    );
  assert.ok(!within(1, { gte: 'NaN' }) && !within(1, { gt: 'NaN', lte: 5 }));
  assert.ok(within(1, { lte: 'NaN' }) && within(1, { lt: 'NaN', gte: 0 }));
  assert.ok(within(1, { gt: '-Infinity', lt: 'Infinity' }) && !within(1, { gt: 'Infinity' }));
});

test('half precision is what Float16Array keeps', () => {
  const Half = (globalThis as unknown as { Float16Array?: new (from: number[]) => ArrayLike<number> })
    .Float16Array;
  if (Half === undefined) return;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.double({ noNaN: true }),
        fc.double({ min: -70000, max: 70000, noNaN: true }),
        fc.double({ min: -1e-4, max: 1e-4, noNaN: true }),
      ),
      (value) => {
        assert.equal(toHalf(value), new Half([value])[0]);
      },
    ),
    { numRuns: 3000 },
  );
});

test('dates go out and come back, in every named zone and format', () => {
  const time = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(time, (ms) => {
      const date = new Date(ms);
      const { year, month, day } = civilOf(Math.floor(ms / 86_400_000));
      assert.deepEqual(
        [year, month, day],
        [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
      );
      assert.equal(daysOf(year, month, day), Math.floor(ms / 86_400_000));
      const iso = dateFormat('strict_date_optional_time||epoch_millis');
      assert.equal(iso.write({ ms, nanos: 0 }), date.toISOString());
      assert.deepEqual(iso.read(date.toISOString(), UTC, false), { ms, nanos: 0 });
      const texts: [string, number][] = [
        ['epoch_millis', 1],
        ['epoch_second', 1],
        ['basic_date_time', 1],
        ['date_time', 1],
        ['ordinal_date_time', 1],
        ['week_date_time', 1],
        ['EEE, dd MMM yyyy h:mm:ss.SSS a Z', 1],
        ['yyyyMMddHHmmssSSS', 1],
        ['yyyy-MM-dd HH:mm:ss', 1000],
        ['date', 86_400_000],
      ];
      for (const [name, unit] of texts) {
        const format = dateFormat(name);
        const written = format.write({ ms, nanos: 0 });
        assert.deepEqual(
          format.read(written, UTC, false)?.ms,
          Math.floor(ms / unit) * unit,
          `${name}: ${written}`,
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('date maths rounds down for gte and up for lte, in zones with summer time', () => {
  const format = dateFormat('strict_date_optional_time||epoch_millis');
  const now = Date.UTC(2024, 2, 31, 10, 30);
  const at = (text: string, up = false, zone = 'Z'): string =>
    new Date(dateMath(text, format, () => now, up, zoneOf(zone)).ms).toISOString();
  assert.equal(at('now/d'), '2024-03-31T00:00:00.000Z');
  assert.equal(at('now/d', true), '2024-03-31T23:59:59.999Z');
  assert.equal(at('now-1M'), '2024-02-29T10:30:00.000Z');
  assert.equal(at('2020-01-31||+1M/d'), '2020-02-29T00:00:00.000Z');
  assert.equal(at('2020-01', true), '2020-01-01T23:59:59.999Z');
  assert.equal(at('2020-01-01T10', true), '2020-01-01T10:59:59.999Z');
  assert.equal(at('now/w'), '2024-03-25T00:00:00.000Z');
  assert.equal(at('now/d', false, 'Europe/Berlin'), '2024-03-30T23:00:00.000Z');
  assert.equal(at('now/d', true, 'Europe/Berlin'), '2024-03-31T21:59:59.999Z');
  assert.equal(at('2020-01-01', false, '+02:00'), '2019-12-31T22:00:00.000Z');
  for (const bad of [
    'now+',
    'now/2d',
    'now*2',
    'now+1x',
    '2020-13-01',
    '2020-02-30',
    'x',
    '',
    'now+1d'.repeat(200),
  ]) {
    assert.throws(() => dateMath(bad, format, () => now, false), { name: 'EngineError', status: 400 }, bad);
  }
  const type = dateType(format, false);
  assert.deepEqual(
    type.range({ gt: '2020-01-01', lt: '2020-01-02' }, () => now),
    undefined,
  );
  assert.equal(
    longOf(
      type.range({ lte: '2020-01' }, () => now)!.max.hi,
      type.range({ lte: '2020-01' }, () => now)!.max.lo,
    ),
    Date.UTC(2020, 0, 2) - 1,
  );
});

test('patterns of any kind end in a parsed date, nothing, or a 400, soon', () => {
  const piece = fc.constantFrom(
    'yyyy',
    'y',
    'MM',
    'M',
    'dd',
    '[',
    ']',
    "'",
    'T',
    '-',
    'S',
    'SSS',
    'Z',
    'a',
    'E',
    ' ',
    '{',
    'D',
    'w',
    'e',
    '||',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 24 }),
      fc.oneof(fc.string(), fc.stringMatching(/^\d{0,40}$/)),
      (parts, text) => {
        let format: ReturnType<typeof dateFormat>;
        try {
          format = dateFormat(parts.join(''));
        } catch (error) {
          assert.equal((error as { status?: number }).status, 400);
          return;
        }
        format.read(text, UTC, true);
      },
    ),
    { numRuns: 1000 },
  );
});

test('addresses go out and come back and sort as numbers', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
      assert.equal(printIp(parseIp(four)!), four);
      const bytes = parseIp(six)!;
      assert.deepEqual(parseIp(printIp(bytes)), bytes);
    }),
  );
  for (const bad of [
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    '1.2.3.4:5',
  ]) {
    assert.equal(parseIp(bad), undefined, bad);
    assert.throws(() => IP.encode(bad), { status: 400 });
  }
  assert.equal(printIp(parseIp('2001:DB8:0:0:1:0:0:1')!), '2001:db8::1:0:0:1');
});

test('ranges of keywords hold exactly what comparing bytes says', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '\u{10ffff}'), maxLength: 3 });
  const type = keywordType(undefined);
  fc.assert(
    fc.property(word, boundsOf(word), (stored, { lower, upper }) => {
      const bounds = Object.fromEntries([lower, upper].filter((one) => one !== undefined)) as RangeBounds;
      const compare = (other: string): number => Buffer.compare(Buffer.from(stored), Buffer.from(other));
      const expected =
        (lower === undefined || (lower[0] === 'gt' ? compare(lower[1]) > 0 : compare(lower[1]) >= 0)) &&
        (upper === undefined || (upper[0] === 'lt' ? compare(upper[1]) < 0 : compare(upper[1]) <= 0));
      const range = type.range(bounds);
      const bytes = Buffer.from(stored);
      const got =
        range !== undefined &&
        Buffer.compare(range.min, bytes) <= 0 &&
        (range.max === undefined || Buffer.compare(bytes, range.max) <= 0);
      assert.equal(got, expected, JSON.stringify({ stored, bounds }));
    }),
    { numRuns: 1000 },
  );
});

test('patterns with stars match as a naive matcher says', () => {
  const naive = (p: string, t: string): boolean =>
    p === ''
      ? t === ''
      : p[0] === '*'
        ? naive(p.slice(1), t) || (t !== '' && naive(p, t.slice(1)))
        : t[0] === p[0] && naive(p.slice(1), t.slice(1));
  const unit = fc.constantFrom('a', 'b', '*');
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }),
      (pattern, text) => {
        assert.equal(matchesPattern(pattern, text), naive(pattern, text));
      },
    ),
    { numRuns: 1000 },
  );
});
