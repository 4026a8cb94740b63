// Items as bytes, against the same items printed as trees: whatever ids, numbers and shapes follow each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine, WriteResult } from '@octavo/engine';
import fc from 'fast-check';
import { printReply } from '../router/print-reply.ts';
import { WriteBytes } from './write-bytes.ts';
import { writeBody, writeStatus } from './write-reply.ts';

/** All that is asked of an engine: the same answer for the same index. */
const infos = new Map(
  ['a', 'größe'].map((name, i) => [name, { settings: { 'index.number_of_replicas': String(i) } }]),
);
const engine = { indices: { info: (name: string) => infos.get(name) } } as unknown as Engine;

const result = fc.record<WriteResult>({
  index: fc.constantFrom('a', 'größe', 'gone'),
  id: fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
    fc.constantFrom('"', '\\', '\u0000', '\ud800', 'x'.repeat(512), '\u0001'.repeat(512)),
  ),
  type: fc.constantFrom('_doc', 'größe "1"'),
  result: fc.constantFrom('created', 'updated', 'deleted', 'noop', 'not_found'),
  version: fc.oneof(fc.nat(12), fc.constantFrom(-1, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER)),
  seqNo: fc.oneof(fc.nat(), fc.constantFrom(9, 10, 99, 100, 2 ** 31, 2 ** 53 - 1)),
  error: fc.constant(undefined),
  source: fc.constant(undefined),
});

test('what trees would be', () => {
  const item = fc.tuple(fc.constantFrom('index', 'create', 'update'), result, fc.integer({ min: 0, max: 9 }));
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 50 }),
      (items, forced, expected) => {
        const bytes = new WriteBytes(engine, forced, expected);
        const trees = items.map(([action, result, dice]) => {
          const tree = { [action]: { ...writeBody(engine, result, forced), status: writeStatus(result) } };
          // Some come as trees between the others.
          if (dice === 0) bytes.printed(printReply(tree));
          else bytes.add(action, result);
          return tree;
        });
        assert.equal(Buffer.from(bytes.end()).toString('utf8'), printReply(trees).toString('utf8'));
      },
    ),
    { numRuns: 500 },
  );
});
