// The kernel splits, lowercases and numbers words as its twin does. A field with a window and a field without receive the same
// texts, while the tables grow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAnalysis } from '../../analysis/registry.ts';
import type { FieldSpec } from '../../mapping/field-spec.ts';
import { createMemory } from '../../memory/arenas.ts';
import { ForwardField } from '../forward/forward-field.ts';
import { TextWindow } from './text-window.ts';

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

/** What the kernel looks at together ends at 64 bytes, and pauses after some hundred words. */
const border = fc
  .tuple(
    fc.constantFrom(' ', 'a', 'a ', 'It ', 'Ab_9 '),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 66 }).map((n) => '.'.repeat(n)),
    fc.array(
      fc.constantFrom(
        'z',
        'Z',
        '9',
        '_',
        '.',
        "'",
        ',',
        ' ',
        'é',
        "o'k",
        '1.5',
        'x'.repeat(15),
        'yY'.repeat(8),
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom('', 'w'.repeat(62), 'w'.repeat(63), 'w'.repeat(64), 'w'.repeat(200), 'w'.repeat(256)),
  )
  .map(([lead, times, dots, parts, long]) => Buffer.from(lead.repeat(times) + dots + parts.join('') + long));

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
      fc.property(
        fc.array(fc.oneof(text, border), { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        (texts, offset) => {
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
        },
      ),
      { numRuns: 500 },
    );
  });
}

/** What both fields make of texts, one after the other. */
function bothRead(texts: readonly string[]): { compiled: unknown; twin: unknown } {
  const memory = createMemory({ stepBytes: 1 << 20 });
  const fields = [new ForwardField(spec, memory, new TextWindow(memory)), new ForwardField(spec, memory)];
  const [compiled, twin] = fields.map((field) => {
    for (const [doc, text] of texts.entries()) {
      const bytes = Buffer.from(text);
      field.open(doc);
      field.text(bytes, 0, bytes.length, 0, buildAnalysis({}).get('standard')!.plain!);
      field.close();
    }
    return read(field);
  });
  return { compiled, twin };
}

test('what stands behind the end of a text says nothing', () => {
  for (const before of ['w', 'é', '_', '1'])
    for (const length of [63, 64, 65, 127, 128]) {
      const text = `${'w'.repeat(length - 1)}.`;
      const { compiled, twin } = bothRead([before.repeat(200), text, text.replaceAll('w', '1')]);
      assert.deepEqual(compiled, twin);
    }
});

/** Words of twelve letters that begin alike and whose slots hold the same (table.ts), by turning its hash around. */
function colliding(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const quad = (n: number): string => [0, 1, 2, 3].map((i) => letters[Math.floor(n / 26 ** i) % 26]).join('');
  const wordOf = (text: string): number => Buffer.from(text).readInt32LE();
  const rest = (n: number): number => {
    const h = Math.imul(wordOf(quad(n)), 0x85ebca6b);
    const hash = h ^ (h >>> 15);
    return hash ^ (hash >>> 15);
  };
  // Of an odd number modulo 2^32, by Newton's steps.
  let inverse = 0x2c1b3c6d;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(0x2c1b3c6d, inverse));
  const found = ['aaaabbbbaaaa'];
  const key = Math.imul(wordOf('bbbb'), 0x2c1b3c6d) ^ rest(0);
  for (let n = 1; n < 26 ** 4 && found.length < 4; n++) {
    const second = Buffer.alloc(4);
    second.writeInt32LE(Math.imul(key ^ rest(n), inverse));
    if (/^[a-z]{4}$/.test(second.toString('latin1')))
      found.push(`aaaa${second.toString('latin1')}${quad(n)}`);
  }
  return found;
}

test('words whose slots hold the same are told apart', () => {
  const words = colliding();
  assert.equal(words.length, 4);
  const { compiled, twin } = bothRead([words.join(' '), words.toReversed().join(' ')]);
  assert.deepEqual(compiled, twin);
  assert.deepEqual((twin as { tokens: number[] }).tokens, [0, 1, 2, 3, 3, 2, 1, 0]);
});
