// A reply has the bytes that a plain recursion prints, in one turn and in slices, and ends at its limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { double, Real } from '../../json/number-text.ts';
import { RawJson, RawText, type ReplyValue } from '../../json/reply-value.ts';
import { PLAIN_PRINT, printInSlices, printReply } from './print-reply.ts';

const leaf: fc.Arbitrary<ReplyValue> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom<ReplyValue>(null, undefined, double(1), Number.NaN, 2n ** 60n),
  fc.integer({ min: 0, max: 40_000 }).map((length) => 'é'.repeat(length)),
  fc.integer({ min: 0, max: 40_000 }).map((length) => new RawJson(Buffer.from(`"${'x'.repeat(length)}"`))),
  fc.integer({ min: 0, max: 40_000 }).map((length) => new RawText(`["${'y'.repeat(length)}"]`)),
);
const tree: fc.Arbitrary<ReplyValue> = fc.letrec<{ tree: ReplyValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('tree'), { maxKeys: 6 }),
  ),
})).tree;

function naive(value: ReplyValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value === 'bigint') return value.toString();
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof RawJson) return Buffer.from(value.bytes).toString();
  if (value instanceof RawText || value instanceof Real) return value.text;
  if (Array.isArray(value)) return `[${value.map(naive).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${naive(member as ReplyValue)}`).join()}}`;
}

test('replies have the bytes of a plain recursion', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const expected = naive(value);
      assert.equal(printReply(value).toString(), expected);
      const sliced = await printInSlices(value, PLAIN_PRINT, Number.POSITIVE_INFINITY);
      assert.equal(sliced.toString(), expected);
    }),
    { numRuns: 40 },
  );
});

const hits = (count: number, length: number): ReplyValue => ({
  took: 1,
  hits: {
    hits: Array.from({ length: count }, (_, i) => ({
      _id: String(i),
      fields: { a: new RawText(`["${'z'.repeat(length)}"]`) },
    })),
  },
});

test('the event loop turns while a long reply is printed', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const bytes = await printInSlices(hits(2_000, 32_000), PLAIN_PRINT, Number.POSITIVE_INFINITY);
  isOver = true;
  assert.ok(bytes.length > 64_000_000);
  assert.ok(turns >= 3, `${turns} turns of the event loop`);
});

test('a reply above the limit ends while it is printed', async () => {
  const printed = new Set<number>();
  const list = Array.from({ length: 1_000 }, (_, i) => ({
    get value(): ReplyValue {
      printed.add(i);
      return 'x'.repeat(10_000);
    },
  }));
  await assert.rejects(
    async () => printInSlices({ list }, PLAIN_PRINT, 100_000),
    /\[answerBytes\] Data too large/,
  );
  assert.ok(printed.size < 20, `${printed.size} items were printed`);
  await assert.rejects(async () => printInSlices('x'.repeat(200), PLAIN_PRINT, 100), /Data too large/);
});
