// Does the kernel cut, lower and number words as its twin does? The same texts to a field with a window and to one
// without, with tables that grow on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAnalysis } from '../analysis/registry.ts';
import type { FieldSpec } from '../mapping/field.ts';
import { createMemory } from '../memory/arenas.ts';
import { ForwardField } from './forward.ts';
import { TextWindow } from './window.ts';

const spec: FieldSpec = { slot: 0, path: 'body', index: 'positions', norms: true, column: 'none' };
const settings = { analysis: { analyzer: { short: { type: 'standard', max_token_length: 7 } } } };
const analysis = buildAnalysis(settings);

const word = fc.oneof(
  fc.stringMatching(/^[A-Za-z]{1,12}$/),
  fc.stringMatching(/^[A-Za-z0-9_]{1,40}$/),
  fc.stringMatching(/^[a-b_.:,;'0-1]{1,9}$/),
  fc.constantFrom('__', '_', "o'neil", '1,000.5', 'a.b', 'é', 'naïve', '中文', 'x'.repeat(300), 'a’b', 'a.é'),
);
const gap = fc.constantFrom(' ', ' ', '  ', ', ', '. ', '-', "'", '\n');
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 80 })
  .map((parts) => Buffer.from(parts.flat().join('')));

function read(field: ForwardField): unknown {
  const { table, tokens, distances, far, norms } = field;
  return {
    terms: Array.from({ length: table.count }, (_, id) => Buffer.from(table.term(id)).toString()),
    tokens: [...tokens.view.subarray(0, tokens.length)],
    distances: [...distances.view.subarray(0, distances.length)],
    far: [...far.view.subarray(0, far.length)],
    norms: [...norms.view.subarray(0, norms.length)],
  };
}

for (const name of ['standard', 'short'] as const) {
  test(`words of the analyzer "${name}" with and without the kernel`, () => {
    const plain = (name === 'short' ? analysis : buildAnalysis({})).get(name)!.plain!;
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat(3), (texts, offset) => {
        const memory = createMemory({ stepBytes: 1 << 20 });
        const window = new TextWindow(memory);
        const compiled = new ForwardField(spec, memory, window);
        const twin = new ForwardField(spec, memory);
        for (const [doc, bytes] of texts.entries()) {
          for (const field of [compiled, twin]) {
            field.open(doc);
            const before = Buffer.from(bytes);
            field.text(bytes, Math.min(offset, bytes.length), bytes.length, 0, plain);
            field.text(bytes, 0, bytes.length, 10_000, plain);
            assert.ok(before.equals(bytes), 'the text itself is not lowered');
            field.close();
          }
        }
        assert.deepEqual(read(compiled), read(twin));
        for (let id = 0; id < twin.table.count; id++) {
          const term = twin.table.term(id);
          assert.equal(compiled.table.find(term, 0, term.length), id);
        }
        compiled.release();
        twin.release();
        window.release();
        assert.equal(memory.usage().used, 0);
      }),
      { numRuns: 300 },
    );
  });
}
