import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarkup } from './parse.ts';
import { toMarkup } from './print.ts';
import { segmentsOf } from './segments.ts';
import { convertUnit } from './units.ts';
import { mentionedUsers, renameUsers } from './users.ts';

const content = parseMarkup(
  '\u{1f600} <user username="ada" id="1">@ada</user>, <user username="bob">Bob</user>, <user username="ada_old" id="1">A</user>',
);

test('each user is listed once', () => {
  assert.deepEqual(
    mentionedUsers(content).map(({ username }) => username),
    ['ada', 'bob'],
  );
});

test('users get their current names, in the text only with a display name', () => {
  for (const unit of ['utf16', 'utf8', 'codepoint'] as const) {
    const renamed = renameUsers(convertUnit(content, unit), ({ id, start }) =>
      id === '1'
        ? { username: 'lovelace', ...(start < 9 ? { display: '@lovelace\u{1f9ee}' } : {}) }
        : undefined,
    );
    assert.equal(renamed.unit, unit);
    assert.equal(
      toMarkup(renamed),
      '\u{1f600} <user username="lovelace" id="1">@lovelace\u{1f9ee}</user>, <user username="bob">Bob</user>, <user username="lovelace" id="1">A</user>',
    );
  }
});

test('a deleted user becomes plain text', () => {
  const left = renameUsers(content, ({ username }) => (username === 'bob' ? null : undefined));
  assert.equal(left.text, content.text);
  assert.deepEqual(
    left.entities,
    content.entities.filter(({ username }) => username !== 'bob'),
  );
});

test('segments are the whole text and have entities in the unit of the content', () => {
  const bytes = convertUnit(content, 'utf8');
  const segments = segmentsOf(bytes);
  assert.equal(segments.map(({ text }) => text).join(''), content.text);
  assert.deepEqual(
    segments.flatMap(({ entity }) => entity ?? []),
    bytes.entities,
  );
  assert.deepEqual(
    segments.filter(({ entity }) => entity).map(({ text }) => text),
    ['@ada', 'Bob', 'A'],
  );
  assert.deepEqual(segmentsOf({ text: '', entities: [], unit: 'utf16' }), []);
});
