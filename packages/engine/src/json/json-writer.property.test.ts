// The writer prints what JSON.stringify prints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonWriter, Piece } from './json-writer.ts';

const piece = fc.oneof(
  fc.record({ kind: fc.constant('quoted' as const), value: fc.string({ unit: 'binary', maxLength: 90 }) }),
  fc.record({ kind: fc.constant('string' as const), value: fc.string({ unit: 'binary', maxLength: 90 }) }),
  fc.record({ kind: fc.constant('integer' as const), value: fc.maxSafeInteger() }),
  fc.record({ kind: fc.constant('integer' as const), value: fc.integer() }),
  fc.record({ kind: fc.constant('tenThousandths' as const), value: fc.nat(99_999_999_999) }),
  fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'grapheme', maxLength: 90 }) }),
  fc.record({ kind: fc.constant('ascii' as const), value: fc.string({ maxLength: 200 }) }),
  fc.record({ kind: fc.constant('piece' as const), value: fc.string({ maxLength: 40 }) }),
  fc.record({ kind: fc.constant('range' as const), value: fc.string({ unit: 'grapheme', maxLength: 90 }) }),
);

test('pieces come out as they are printed', () => {
  fc.assert(
    fc.property(fc.array(piece), fc.nat(40), (pieces, start) => {
      const out = new JsonWriter(Buffer.alloc(start + 5), start);
      let expected = '';
      for (const each of pieces) {
        if (each.kind === 'quoted') {
          const bytes = Buffer.from(`..${each.value}..`);
          out.quoted(bytes, 2, bytes.length - 2);
          expected += JSON.stringify(each.value.toWellFormed());
        } else if (each.kind === 'tenThousandths') {
          out.tenThousandths(each.value);
          const text = String(each.value / 10_000);
          expected += text.includes('.') || text.includes('e') ? text : `${text}.0`;
        } else if (each.kind === 'range') {
          const bytes = new Uint8Array(Buffer.from(`..${each.value}..`));
          out.range(bytes, 2, bytes.length - 2);
          expected += each.value;
        } else if (each.kind === 'piece') {
          out.piece(new Piece(each.value));
          expected += each.value;
        } else if (each.kind === 'string') {
          out.string(each.value);
          expected += JSON.stringify(each.value);
        } else if (each.kind === 'integer') {
          out.integer(each.value);
          expected += String(each.value);
        } else {
          out[each.kind](each.value);
          expected += each.value;
        }
      }
      assert.equal(out.bytes.toString('utf8', start, out.at), expected);
    }),
  );
});
