// The single pass over plain text gives the terms and positions of the analyzer, word by word.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sealedBytes } from '../../test/sealed.ts';
import { buildAnalysis } from '../analysis/registry.ts';
import type { FieldSpec } from '../mapping/field-spec.ts';
import { createMemory } from '../memory/arenas.ts';
import { openSegment } from '../segment/segment-leaf.ts';
import { Tail } from './tail.ts';

const memory = createMemory();
const spec: FieldSpec = { slot: 0, path: 't', index: 'positions', norms: true, column: 'none' };
const analysis = buildAnalysis({
  'analysis.analyzer.short.type': 'standard',
  'analysis.analyzer.short.max_token_length': '5',
});

/** A sealed segment of one document, and the terms and positions in it. */
function sealed(write: (tail: Tail) => void): { bytes: Buffer; terms: string[] } {
  const tail = new Tail(memory);
  const id = Buffer.from('1');
  const place = { chunk: 0, offset: 0, length: 1 };
  tail.begin({ id, seqNo: 0, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
  write(tail);
  tail.end();
  tail.closeBatch();
  const bytes = sealedBytes(tail);
  const terms = openSegment(new Uint8Array(bytes)).terms('t');
  const names = Array.from({ length: terms?.count ?? 0 }, (_, i) => Buffer.from(terms!.term(i)).toString());
  for (const name of names) {
    const wanted = Buffer.from(name);
    assert.ok(terms!.find(wanted, 0, wanted.length) >= 0);
  }
  tail.release();
  return { bytes, terms: names };
}

const piece = fc.oneof(
  fc.constantFrom(
    'a',
    'Zed',
    "can't",
    '3.14',
    '1,000',
    'a.b',
    'a:b',
    '_',
    '__x',
    'x_1',
    ' ',
    '  ',
    '-',
    '\n',
    "'",
  ),
  fc.constantFrom(
    'é',
    'Ünïcode',
    '中文',
    '한국',
    'ひらカタ',
    '👍🏽',
    '1️⃣',
    '\u0301',
    'ßA',
    '\u00ad',
    'Σ',
    '’',
    '#️⃣',
  ),
  fc.stringMatching(/^[A-Za-z]{1,20}$/),
  fc.stringMatching(/^[A-Za-z0-9_.:,;' ]{1,12}$/),
);

for (const name of ['standard', 'short']) {
  test(`plain text of the analyzer "${name}" in one pass`, () => {
    const analyzer = analysis.get(name)!;
    assert.ok(analyzer.plain !== undefined);
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { maxLength: 60 }), { minLength: 1, maxLength: 3 }),
        fc.nat(4),
        (values, offset) => {
          const texts = values.map((pieces) => Buffer.from('x'.repeat(offset) + pieces.join('')));
          const once = sealed((tail) => {
            let base = 0;
            for (const text of texts)
              base += tail.text(spec, text, offset, text.length, base, analyzer.plain!) + 300;
          });
          const wordByWord = sealed((tail) => {
            let base = 0;
            tail.present(spec);
            for (const text of texts) {
              base +=
                300 +
                analyzer.analyzeBytes(text, offset, text.length, (bytes, start, end, position, overlap) =>
                  tail.term(spec, bytes, start, end, base + position, overlap),
                );
            }
          });
          assert.deepEqual(once.terms, wordByWord.terms);
          assert.ok(once.bytes.equals(wordByWord.bytes));
        },
      ),
      { numRuns: 400 },
    );
  });
}

test('terms that differ behind their first eight bytes, or only in length, are apart', () => {
  const analyzer = analysis.get('standard')!;
  const words = [
    'abcdefgh',
    'abcdefghi',
    'abcdefghj',
    'ABCDEFGHIJ',
    'abcdefghji',
    'a',
    'aa',
    'abcd',
    'abcde',
  ];
  const text = Buffer.from(words.join(' '));
  const { terms } = sealed((tail) => {
    assert.equal(tail.text(spec, text, 0, text.length, 0, analyzer.plain!), words.length);
  });
  assert.deepEqual(terms, words.map((word) => word.toLowerCase()).toSorted());
});
