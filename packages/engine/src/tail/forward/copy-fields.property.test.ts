// A tail ends up the same, byte for byte, whether a changed document is mapped as a whole or its
// unchanged fields are copied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sealedBytes } from '../../../test/sealed.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { MemberSlots } from '../../mapping/member-slots.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Tail } from '../tail.ts';

const memory = createMemory();
const properties = {
  text: { type: 'text', position_increment_gap: 700, fields: { raw: { type: 'keyword', ignore_above: 9 } } },
  plain: { type: 'text', norms: false, index_options: 'freqs' },
  tags: { type: 'keyword', fields: { words: { type: 'text' } } },
  n: { type: 'long', ignore_malformed: true },
  d: { type: 'double', null_value: 1.5 },
  when: { type: 'date' },
  flag: { type: 'boolean' },
  o: { properties: { a: { type: 'integer' }, b: { type: 'text' } } },
  none: { type: 'keyword', index: false, doc_values: false },
};
const mapping = parseMapping({ dynamic: 'strict', properties }, buildAnalysis({}));

const word = fc.constantFrom('a', 'Zed', 'running', '3.14', 'Größe', '中文', "can't", 'x'.repeat(40));
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
const few = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(value, fc.array(value, { maxLength: 4 }));
const of: { requiredKeys: [] } = { requiredKeys: [] };
const members = {
  text: few(text),
  plain: few(text),
  tags: few(fc.constantFrom('one', 'two', '', 'drei')),
  n: few(fc.oneof({ weight: 9, arbitrary: fc.integer() }, fc.constant('no number'))),
  d: few(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))),
  when: few(fc.constantFrom('2026-11-21', 1_700_000_000_000)),
  flag: fc.boolean(),
  none: word,
};
const document = fc.record(
  { ...members, o: fc.record({ a: few(fc.integer({ max: 99 })), b: text }, of) },
  of,
);
const patch = fc.record(members, of);

/** Documents, and then patches of the one with that number, the patched ones included. */
const life = fc.tuple(
  fc.array(document, { minLength: 1, maxLength: 6 }),
  fc.array(fc.tuple(fc.nat(), patch, fc.boolean()), { maxLength: 10 }),
);

function filled(
  [documents, patches]: [object[], [number, object, boolean][]],
  isAgain: boolean,
): [Buffer, number] {
  const tail = new Tail(memory);
  const fed = new MemberSlots();
  let kept = 0;
  const put = (number: number, tell: () => void): void => {
    const place = { chunk: 0, offset: 0, length: 1 };
    const id = Buffer.from(String(number));
    const document = { id, seqNo: number, version: 1, type: '_doc', routing: undefined, commit: 1, ...place };
    tail.begin(document);
    tell();
    assert.equal(tail.end(), number);
  };
  const read = (value: object): void => {
    const bytes = Buffer.from(JSON.stringify(value));
    assert.equal(mapDocument(mapping, bytes, 0, bytes.length, tail, { id: '' }), mapping);
  };
  const all = [...documents];
  for (const [number, value] of documents.entries()) put(number, () => read(value));
  for (const [at, change, isDropped] of patches) {
    const doc = at % all.length;
    const value = { ...all[doc], ...change };
    const without = fed.find(mapping, Object.keys(change));
    assert.ok(without !== undefined);
    put(all.length, () => {
      if (isAgain && tail.copyDocument(doc, without, mapping.ignored.slot)) {
        read(change);
        kept++;
        // What is dropped leaves nothing.
        if (!isDropped) return;
        const place = { seqNo: all.length, version: 1, type: '_doc', routing: undefined, commit: 1 };
        tail.abort();
        tail.begin({ id: Buffer.from(String(all.length)), ...place, chunk: 0, offset: 0, length: 1 });
      }
      read(value);
    });
    all.push(value);
  }
  tail.closeBatch();
  const bytes = sealedBytes(tail);
  tail.release();
  return [bytes, kept];
}

test('what is told again is what is read again', () => {
  let kept = 0;
  fc.assert(
    fc.property(life, (lived) => {
      const [again, count] = filled(lived, true);
      assert.deepEqual(again, filled(lived, false)[0]);
      kept += count;
    }),
    { numRuns: 300 },
  );
  assert.ok(kept > 300, `${kept}`);
});

test('members that feed more than their field, or a field that others feed, are read with their document', () => {
  const slots = (more: object, ...names: string[]): number | undefined => {
    const made = parseMapping({ properties: { ...properties, ...more } }, buildAnalysis({}));
    return made.slotsOfMembers(names)?.size;
  };
  assert.equal(slots({}, 'n', 'text'), 3);
  assert.equal(slots({}, 'n', 'n'), 1);
  assert.equal(slots({}), 0);
  assert.equal(slots({}, 'o'), undefined);
  assert.equal(slots({}, 'o.a'), undefined);
  assert.equal(slots({}, 'text.raw'), undefined);
  assert.equal(slots({}, 'new'), undefined);
  assert.equal(slots({ c: { type: 'keyword', copy_to: 'n' } }, 'n'), undefined);
  assert.equal(slots({ c: { type: 'alias', path: 'n' } }, 'c'), undefined);
  assert.equal(slots({ c: { type: 'flat_object' } }, 'c'), undefined);
  assert.equal(slots({ c: { type: 'keyword', fields: { g: { type: 'geo_point' } } } }, 'c'), undefined);
});
