import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentInAnyUnit } from '../test/arbitraries.ts';
import { PROBLEMS, validateContent } from './validate.ts';

const faults = (text: string, entities: readonly unknown[], unit?: string): string[] =>
  validateContent(text, entities, unit).map(({ path, code }) => `${path} ${code}`);

test('valid content has no faults, in any order of entities', () => {
  fc.assert(
    fc.property(contentInAnyUnit, ({ text, entities, unit }) => {
      assert.deepEqual(validateContent(text, [...entities].reverse(), unit), []);
    }),
  );
});

test('each fault is reported with its path', () => {
  const face = 'a\u{1f600}b';
  assert.deepEqual(faults(face, [{ kind: 'topic', start: 2, end: 4 }]), [
    'entities[0].start inside-character',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'topic', start: 0, end: 3 }], 'utf8'), [
    'entities[0].end inside-character',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'topic', start: 0, end: 3 }], 'codepoint'), []);
  assert.deepEqual(faults(face, [{ kind: 'topic', start: 0, end: 4 }], 'codepoint'), [
    'entities[0].end out-of-range',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'topic', start: 1, end: 1 }]), ['entities[0].end empty-slice']);
  assert.deepEqual(faults(face, [{ kind: 'topic', start: -1, end: 1.5 }]), [
    'entities[0].start bad-offset',
    'entities[0].end bad-offset',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'user', start: 0, end: 1 }]), [
    'entities[0].username missing-attribute',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'topic', href: 'x', id: 7, start: 0, end: 1 }]), [
    'entities[0].href unknown-attribute',
    'entities[0].id bad-attribute',
  ]);
  assert.deepEqual(faults(face, [{ kind: 'group', start: 0, end: 1 }, null, [], 'x']), [
    'entities[0].kind unknown-kind',
    'entities[1] not-an-entity',
    'entities[2] not-an-entity',
    'entities[3] not-an-entity',
  ]);
  assert.deepEqual(faults('\ud83d', [], 'bytes'), ['text ill-formed', 'unit unknown-unit']);
  const nul = { kind: 'user', username: 'a\0', id: '\0', start: 0, end: 1 };
  assert.deepEqual(faults('a\0', [nul]), ['text nul', 'entities[0].username nul', 'entities[0].id nul']);
});

test('overlap and nesting are distinguished', () => {
  const range = (start: number, end: number) => ({ kind: 'topic', start, end });
  assert.deepEqual(faults('abcdef', [range(0, 3), range(2, 5)]), ['entities[1] overlap']);
  assert.deepEqual(faults('abcdef', [range(1, 2), range(0, 3)]), ['entities[1] nesting']);
  assert.deepEqual(faults('abcdef', [range(0, 3), range(0, 3)]), ['entities[1] nesting']);
  assert.deepEqual(faults('abcdef', [range(0, 3), range(3, 6)]), []);
});

test('only own properties of an entity count, whatever their names', () => {
  const entity: unknown = JSON.parse('{"kind":"topic","__proto__":{},"start":0,"end":1}');
  assert.deepEqual(faults('a', [entity]), ['entities[0].__proto__ unknown-attribute']);
  assert.equal(validateContent('a', [{ kind: 'constructor' }])[0]?.code, 'unknown-kind');
  assert.ok(Object.values(PROBLEMS).every((meaning) => meaning.endsWith('.')));
});
