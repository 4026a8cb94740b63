// A tail keeps no fields of refused documents, and neither does a thread that has borrowed them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Tail } from '../tail.ts';

const field = (slot: number, path: string): FieldSpec => ({
  ...{ slot, path, index: 'docs', norms: false, column: 'ordinal' },
});

function write(tail: Tail, doc: number, specs: readonly FieldSpec[]): void {
  const id = Buffer.from(`d${doc}`);
  const place = { chunk: 0, offset: 0, length: 2 };
  tail.begin({ id, seqNo: doc, version: 1, type: '_doc', routing: undefined, commit: doc + 1, ...place });
  for (const spec of specs) tail.keyword(spec, Buffer.from('some value'), 0, 10);
}

const paths = (tail: Tail): string[] => tail.lend().fields.map(({ spec }) => spec.path);

test('fields go with the documents that brought them', () => {
  const tail = new Tail(createMemory({ stepBytes: 1 << 20, arenaBytes: 16 << 20 }));
  write(tail, 0, [field(0, 'a')]);
  tail.end();
  tail.closeBatch();
  const { bytes, fieldsVersion } = tail;
  for (let k = 0; k < 5_000; k++) {
    write(tail, 1, [field(0, 'a'), field(k + 1, `f${k}`)]);
    if (k % 2 === 0) tail.abort();
    else {
      tail.end();
      tail.closeBatch();
      tail.truncate(1);
    }
  }
  assert.deepEqual(paths(tail), ['a']);
  assert.ok(tail.bytes < bytes + 4_096, `${tail.bytes} bytes`);
  assert.notEqual(tail.fieldsVersion, fieldsVersion);
  write(tail, 1, [field(5_001, 'b')]);
  tail.end();
  tail.closeBatch();
  assert.deepEqual(paths(tail), ['a', 'b']);
});

test('what is not lent any more is not seen any more', () => {
  const memory = createMemory({ stepBytes: 1 << 20, arenaBytes: 16 << 20 });
  const [tail, reader] = [new Tail(memory), new Tail(memory)];
  write(tail, 0, [field(0, 'a')]);
  tail.end();
  tail.closeBatch();
  write(tail, 1, [field(0, 'a'), field(1, 'refused')]);
  tail.end();
  tail.closeBatch();
  // Of the first document only, though what is known of the second is lent along.
  reader.borrow(tail.lendAt(1));
  assert.equal(reader.docCount, 1);
  tail.truncate(1);
  write(tail, 1, [field(2, 'b')]);
  tail.end();
  tail.closeBatch();
  reader.borrow(tail.lendAt(2));
  assert.deepEqual(paths(reader), ['a', 'b']);
});
