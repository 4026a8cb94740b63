// A list in parts is the text of the whole list, whatever its parts, its filter and its limits; between two
// parts the event loop turns; all bytes that were counted are released.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineError } from '@octavo/engine';
import fc from 'fast-check';
import { AnswerBytes } from '../../access/limits/answer-bytes.ts';
import type { ReplyObject, ReplyValue } from '../../json/reply-value.ts';
import { limitsWith } from '../../limits.ts';
import { parseFilterPath } from '../../patterns/filter-path.ts';
import { PLAIN_PRINT, type PrintOptions, printReply } from './print-reply.ts';
import { CHUNK_BYTES, listChunks, type StreamedList } from './streamed-list.ts';

const limits = limitsWith();
const account = (inFlight = new AnswerBytes(limits), maxBytes = 1e9) => ({ caller: 'c', inFlight, maxBytes });

const value = fc.letrec<{ value: ReplyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '"', '\\'), tie('value'), { maxKeys: 3 }),
  ),
})).value as fc.Arbitrary<ReplyValue>;
const members = fc.dictionary(fc.constantFrom('took', 'errors'), value, {
  maxKeys: 2,
}) as fc.Arbitrary<ReplyObject>;
const item = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { minKeys: 1, maxKeys: 3 });
const filter = fc.constantFrom(
  undefined,
  'took',
  'items',
  'items.a',
  'items.a.*',
  '**.b',
  '-items.a',
  '-items',
  '-**.c,-took',
  'none',
);

async function textOf(list: StreamedList, options: PrintOptions): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of listChunks(list, options, account())) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('parts are the whole', async () => {
  const parts = fc.array(fc.array(item, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      parts,
      members,
      members,
      filter,
      fc.boolean(),
      async (parts, first, more, paths, pretty) => {
        const last = Object.fromEntries(Object.entries(more).filter(([name]) => !Object.hasOwn(first, name)));
        const options = {
          pretty,
          filter: paths === undefined ? undefined : parseFilterPath(paths.split(',')),
        };
        const list: StreamedList = {
          first,
          name: 'items',
          count: parts.length,
          part: (i) => Buffer.from(parts[i]!.map((each) => printReply(each).toString()).join()),
          last: () => last,
        };
        const whole = printReply({ ...first, items: parts.flat(), ...last }, options).toString();
        assert.equal(await textOf(list, options), whole);
      },
    ),
    { numRuns: 1_000 },
  );
});

/** A list of items of `bytes` each. */
const long = (count: number, bytes: number, made: () => void = () => {}): StreamedList => ({
  first: {},
  name: 'items',
  count,
  part: () => {
    made();
    return Buffer.alloc(bytes, '1');
  },
  refused: (_, { type }: EngineError) => Buffer.from(`"${type}"`),
});

test('a part is made when the chunk before it was taken', async () => {
  let made = 0;
  const bytes = new AnswerBytes(limits);
  const chunks = listChunks(
    long(100, CHUNK_BYTES, () => made++),
    PLAIN_PRINT,
    account(bytes),
  );
  for (let taken = 1; taken <= 50; taken++) {
    await chunks.next();
    assert.equal(made, taken);
    assert.ok(bytes.inFlight <= CHUNK_BYTES, `${bytes.inFlight} bytes are in flight`);
  }
  await chunks.return(undefined);
  assert.equal(bytes.inFlight, 0);
});

test('the event loop turns between parts that take longer than a slice', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turnsAt: number[] = [];
  const slow = (): void => {
    turnsAt.push(turns);
    for (const end = performance.now() + 5; performance.now() < end; );
  };
  await textOf(long(10, 10, slow), PLAIN_PRINT);
  isOver = true;
  for (let i = 1; i < turnsAt.length; i++) assert.ok(turnsAt[i]! > turnsAt[i - 1]!, `${turnsAt}`);
});

test('items are refused from the first beyond the limit of an answer, and not made', async () => {
  const chunks: Buffer[] = [];
  let made = 0;
  const list = long(5, 100, () => made++);
  for await (const chunk of listChunks(list, PLAIN_PRINT, account(undefined, 250))) chunks.push(chunk);
  const { items } = JSON.parse(Buffer.concat(chunks).toString().replaceAll(/1+/g, '1'));
  assert.deepEqual(items, [1, 1, ...Array(3).fill('circuit_breaking_exception')]);
  assert.equal(made, 3);
});

test('items without room are refused; a list that cannot be refused is sent', async () => {
  const bytes = new AnswerBytes({ ...limits, callerAnswersBytes: 1_000 });
  bytes.take('c', 950);
  const { refused: _, ...sent } = long(2, 100);
  for (const [list, says] of [
    [long(2, 100), /^\{"items":\["circuit/],
    [sent, /^\{"items":\[1+,1+\]\}$/],
  ] as const) {
    const chunks: Buffer[] = [];
    for await (const chunk of listChunks(list, PLAIN_PRINT, account(bytes))) chunks.push(chunk);
    assert.match(Buffer.concat(chunks).toString(), says);
    assert.equal(bytes.inFlight, 1_024);
  }
});

test('a part that fails ends the list, and releases what was counted', async () => {
  const bytes = new AnswerBytes(limits);
  let made = 0;
  const list = long(5, 10, () => {
    if (++made === 3) throw new TypeError('no part');
  });
  await assert.rejects(listChunks(list, PLAIN_PRINT, account(bytes)).next(), /no part/);
  assert.equal(bytes.inFlight, 0);
});
