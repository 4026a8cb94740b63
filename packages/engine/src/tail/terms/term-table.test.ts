// A term table is unchanged when memory is refused in the middle of adding a term: kernels still find
// everything, and nothing is written to freed memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusing } from '../../../test/refusing.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import { EngineError } from '../../errors.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { Tail } from '../tail.ts';

const DOCS = 60;
const mapping = parseMapping({ properties: { text: { type: 'text' } } }, buildAnalysis({}));

function add(tail: Tail, doc: number): void {
  const words = Array.from({ length: 50 }, (_, w) => `w${doc * 50 + w} a${w}longerthaneight${doc}`).join(' ');
  const source = Buffer.from(JSON.stringify({ text: words }));
  const place = { chunk: 1, offset: doc, length: 1, type: '_doc', routing: undefined };
  tail.begin({ id: Buffer.from(`d${doc}`), seqNo: doc, version: 1, commit: doc + 1, ...place });
  try {
    mapDocument(mapping, source, 0, source.length, tail, { id: `d${doc}` });
  } catch (error) {
    tail.abort();
    throw error;
  }
  tail.end();
}

test('whichever block is refused, all words are found afterwards', () => {
  let refused = 0;
  for (let nth = 0; ; nth++) {
    const { memory, asked } = refusing(nth);
    let tail: Tail;
    try {
      tail = new Tail(memory);
    } catch (error) {
      assert.ok(error instanceof EngineError);
      continue;
    }
    for (let doc = 0; doc < DOCS; doc++) {
      try {
        add(tail, doc);
      } catch (error) {
        assert.ok(error instanceof EngineError, String(error));
        refused++;
        add(tail, doc);
      }
    }
    const all = asked();
    tail.closeBatch();
    const [leaf] = tail.leaves();
    for (let doc = 0; doc < DOCS; doc++)
      for (const word of [`w${doc * 50}`, `w${doc * 50 + 49}`, `a7longerthaneight${doc}`]) {
        const terms = leaf!.terms('text')!;
        assert.ok(terms.find(Buffer.from(word), 0, word.length) >= 0, `${word}, with block ${nth} refused`);
      }
    if (nth > all) break;
  }
  assert.ok(refused > 10, `${refused}`);
});
