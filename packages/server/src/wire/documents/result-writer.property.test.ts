// Results written as bytes are what JSON.stringify makes of their members: whatever ids, numbers and shapes
// follow each other, as items of a bulk and as replies to single writes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine, WriteResult } from '@octavo/engine';
import fc from 'fast-check';
import { BulkItems } from './bulk-reply.ts';
import { writeReply } from './write-reply.ts';

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

const GET = { _seq_no: 1, found: true };

const STATUS: Readonly<Record<string, number>> = { created: 201, not_found: 404 };

/** The members that the peer shows of a write. */
function members({ index, type, id, version, result, seqNo }: WriteResult, forced: boolean): object {
  const replicas = { a: 0, größe: 1 }[index] ?? 0;
  return {
    _index: index,
    ...(type === '_doc' ? {} : { _type: type }),
    _id: id,
    _version: version,
    result,
    ...(forced ? { forced_refresh: true } : {}),
    _shards: { total: 1 + replicas, successful: 1, failed: 0 },
    _seq_no: seqNo,
    _primary_term: 1,
  };
}

test('items of a bulk', () => {
  const item = fc.tuple(fc.constantFrom('index', 'create', 'update'), result, fc.integer({ min: 0, max: 9 }));
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      (items, forced, perPart) => {
        const reply = new BulkItems(engine, forced);
        const parts: Buffer[] = [];
        const trees = items.map(([action, result, dice], i) => {
          if (i > 0 && i % perPart === 0) parts.push(reply.take());
          const get = dice === 1 ? GET : undefined;
          const status = STATUS[result.result] ?? 200;
          // Some fail.
          if (dice === 0) reply.failed(action, { status });
          else reply.written(action, result, get);
          return { [action]: dice === 0 ? { status } : { ...members(result, forced), get, status } };
        });
        parts.push(reply.take());
        assert.equal(`[${parts.join()}]`, JSON.stringify(trees));
      },
    ),
    { numRuns: 500 },
  );
});

test('replies to single writes', () => {
  fc.assert(
    fc.property(result, fc.boolean(), fc.boolean(), (any, forced, hasGet) => {
      // Paths are UTF-8: their ids are well formed.
      const result = { ...any, id: any.id.toWellFormed() };
      const get = hasGet ? GET : undefined;
      const reply = writeReply(engine, result, forced ? 'forced' : 'none', undefined, get);
      const isNoop = result.result === 'noop';
      const own = members(result, forced && !isNoop);
      const shown = isNoop ? { ...own, _shards: { total: 0, successful: 0, failed: 0 } } : own;
      assert.equal(reply.bytes!.toString('utf8'), JSON.stringify({ ...shown, get }));
      assert.equal(reply.status, STATUS[result.result] ?? 200);
      assert.equal(reply.headers !== undefined, reply.status === 201);
    }),
    { numRuns: 500 },
  );
});
