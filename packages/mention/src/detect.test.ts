import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { text } from '../test/arbitraries.ts';
import { detectMentions, mentionCandidates, type TypedName } from './detect.ts';
import { validateContent } from './validate.ts';

const slices = (typed: string, known?: readonly string[]): string[] => {
  const resolver = ({ name }: TypedName) => (known === undefined || known.includes(name) ? {} : undefined);
  return detectMentions(typed, resolver).entities.map(({ start, end }) => typed.slice(start, end));
};

test('names follow a space, punctuation or the start', () => {
  assert.deepEqual(slices('@ada (@bob), "@c_d"; #news!'), ['@ada', '@bob', '@c_d', '#news']);
  assert.deepEqual(slices('mail a@b.c, https://x.example/@ada, page#part, @@x, &#120;'), []);
  assert.deepEqual(slices('#1 #2nd # @'), ['#2nd']);
  assert.deepEqual(slices('\u{1f600}@zo\u00eb #\u05d7\u05d3\u05e9\u05d5\u05ea @\u4e16\u754c'), [
    '@zo\u00eb',
    '#\u05d7\u05d3\u05e9\u05d5\u05ea',
    '@\u4e16\u754c',
  ]);
});

test('a dot belongs to the name or ends the sentence, as the resolver decides', () => {
  assert.deepEqual(slices('@ada.lovelace.', ['ada.lovelace', 'ada']), ['@ada.lovelace']);
  assert.deepEqual(slices('@ada.lovelace.', ['ada']), ['@ada']);
  assert.deepEqual(slices('@ada.', ['ada']), ['@ada']);
  assert.deepEqual(slices('@nobody', []), []);
});

test('the entity has the values of the resolver', () => {
  assert.deepEqual(
    detectMentions('@Ada', ({ kind, name }) =>
      kind === 'user' ? { username: name.toLowerCase(), id: '7' } : undefined,
    ),
    { text: '@Ada', entities: [{ kind: 'user', username: 'ada', id: '7', start: 0, end: 4 }], unit: 'utf16' },
  );
});

test('candidates are the names passed to the resolver, each once', () => {
  const typed = '@ada.l and @ada.l, #x-y';
  const resolved = new Set<string>();
  detectMentions(typed, ({ kind, name }) => void resolved.add(`${kind} ${name}`));
  assert.deepEqual(
    mentionCandidates(typed).map(({ kind, name }) => `${kind} ${name}`),
    [...resolved],
  );
  assert.equal(resolved.size, 4);
});

test('a name beyond the limit is text, and long junk is read to its end', () => {
  assert.deepEqual(
    slices(`@${'a'.repeat(64)}`).map((found) => found.length),
    [65],
  );
  assert.deepEqual(slices(`@${'a'.repeat(65)}`), []);
  assert.deepEqual(slices('@a.'.repeat(100_000), []), []);
  assert.deepEqual(slices('@'.repeat(100_000)), []);
});

test('detected content is valid', () => {
  fc.assert(
    fc.property(text, (typed) => {
      const { entities } = detectMentions(typed, () => ({}));
      assert.deepEqual(validateContent(typed, entities), []);
    }),
  );
});
