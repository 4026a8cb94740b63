import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { content, contentInAnyUnit, text } from '../test/arbitraries.ts';
import type { Content } from './content.ts';
import { applyEdits, type Edit, mapEntities } from './edit.ts';
import { convertUnit } from './units.ts';
import { validateContent } from './validate.ts';

const edits = fc.array(
  fc.record({ at: fc.integer({ min: -3, max: 60 }), remove: fc.integer({ min: -1, max: 20 }), insert: text }),
  { maxLength: 5 },
);

/** Every code point carries the entity it is in: what is written takes the one that is on both its sides. */
function oracle(drawn: Content, changes: readonly Edit[]): { text: string; slices: Map<number, string> } {
  let tagged = [...drawn.text].map((character, at) => ({
    character,
    tag: drawn.entities.findIndex(({ start, end }) => start <= at && at < end),
  }));
  for (const { at, remove, insert } of changes) {
    const from = Math.min(Math.max(at, 0), tagged.length);
    const to = Math.min(Math.max(at + remove, from), tagged.length);
    const before = tagged[from - 1]?.tag ?? -1;
    const tag = before === (tagged[to]?.tag ?? -1) ? before : -1;
    const added = [...insert].map((character) => ({ character, tag }));
    tagged = [...tagged.slice(0, from), ...added, ...tagged.slice(to)];
  }
  const slices = new Map<number, string>();
  for (const { character, tag } of tagged)
    if (tag !== -1) slices.set(tag, (slices.get(tag) ?? '') + character);
  return { text: tagged.map(({ character }) => character).join(''), slices };
}

test('edits move entities as if each character carried its entity', () => {
  fc.assert(
    fc.property(content, edits, (drawn, changes) => {
      const points = convertUnit(drawn, 'codepoint');
      const expected = oracle(points, changes);
      const edited = applyEdits(points, changes);
      assert.equal(edited.text, expected.text);
      const all = [...edited.text];
      assert.deepEqual(
        edited.entities.map(({ start, end }) => all.slice(start, end).join('')),
        [...expected.slices].sort(([a], [b]) => a - b).map(([, slice]) => slice),
      );
    }),
    { numRuns: 500 },
  );
});

test('edited content is valid in every unit', () => {
  fc.assert(
    fc.property(contentInAnyUnit, edits, (drawn, changes) => {
      const edited = applyEdits(drawn, changes);
      assert.deepEqual(validateContent(edited.text, edited.entities, edited.unit), []);
    }),
    { numRuns: 300 },
  );
});

test('an insertion at an edge stays outside the entity, one between two characters goes inside', () => {
  const ada = [{ kind: 'topic', start: 3, end: 6 } as const];
  const at = (position: number): number[] =>
    mapEntities(ada, [{ at: position, remove: 0, insert: 'xx' }]).flatMap(({ start, end }) => [start, end]);
  assert.deepEqual(at(3), [5, 8]);
  assert.deepEqual(at(4), [3, 8]);
  assert.deepEqual(at(6), [3, 6]);
  assert.deepEqual(mapEntities(ada, [{ at: 3, remove: 3, insert: 'Bob' }]), []);
  assert.deepEqual(mapEntities(ada, [{ at: 5, remove: 9, insert: '' }]), [
    { kind: 'topic', start: 3, end: 5 },
  ]);
});

test('an edit inside a surrogate pair replaces the whole character', () => {
  const face: Content = { text: 'a\u{1f600}b', entities: [], unit: 'utf16' };
  assert.equal(applyEdits(face, [{ at: 2, remove: 2, insert: '' }]).text, 'a');
  assert.equal(applyEdits(face, [{ at: 0, remove: 2, insert: '' }]).text, 'b');
  assert.equal(applyEdits(face, [{ at: 2, remove: 0, insert: 'x' }]).text, 'ax\u{1f600}b');
});
