// Settings survive flattening and showing; updates and values are checked as by the peer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@octavo/engine';
import fc from 'fast-check';
import { editDistance, nearestNames } from '../../patterns/nearest-names.ts';
import {
  flattenSettings,
  listItems,
  parseListSetting,
  showSettings,
  withIndexPrefix,
} from '../settings/flat-settings.ts';
import { unsetDefaults } from '../settings/index-settings.ts';
import { validateIndexSettings } from '../settings/validate-settings.ts';
import { changesFor, checkUpdate, refuseByState } from './settings-update.ts';

function reasonOf(work: () => void): string {
  try {
    work();
  } catch (thrown) {
    assert.ok(thrown instanceof EngineError);
    return thrown.message;
  }
  return 'nothing was thrown';
}

test('settings become flat, with prefix, and lists stay lists', () => {
  const flat = withIndexPrefix(
    flattenSettings({ number_of_shards: 2, index: { 'sort.field': ['a', 'b'], hidden: null } }),
  );
  assert.deepEqual(
    { ...flat },
    { 'index.number_of_shards': '2', 'index.sort.field': '["a","b"]', 'index.hidden': null },
  );
  assert.match(
    reasonOf(() => flattenSettings({ a: [{ b: 1 }] })),
    /only value lists are allowed/,
  );
});

test('a text that only looks like a list is a text', () => {
  assert.equal(listItems('[^a-z]'), undefined);
  assert.equal(listItems('[1]'), undefined);
  assert.deepEqual(listItems('["a"]'), ['a']);
  assert.deepEqual(parseListSetting('a, b'), ['a', 'b']);
});

test('nesting that is too deep is refused, not followed', () => {
  let deep: object = { a: 1 };
  for (let level = 0; level < 5000; level++) deep = { a: deep };
  assert.match(
    reasonOf(() => flattenSettings(deep as never)),
    /nested more than/,
  );
});

test('what is shown nested reads back as the same flat settings', () => {
  const key = fc
    .array(fc.constantFrom('a', 'b', 'c', '__proto__'), { minLength: 1, maxLength: 4 })
    .map((p) => p.join('.'));
  const value = fc.oneof(
    fc.constantFrom('1', 'x', 'true', ''),
    fc.array(fc.constantFrom('p', 'q')).map((l) => JSON.stringify(l)),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), (flat) => {
      const again = flattenSettings(showSettings(flat, false));
      assert.deepEqual(Object.entries(again).sort(), Object.entries(flat).sort());
    }),
  );
});

test('where a key is also a prefix, the rest stays one dotted key', () => {
  const shown = showSettings({ 'merge.policy': 'default', 'merge.policy.x': '1' }, false);
  assert.equal(JSON.stringify(shown), '{"merge":{"policy":"default","policy.x":"1"}}');
});

test('unknown settings are named, the likely meaning too', () => {
  const reason = (key: string): string => reasonOf(() => validateIndexSettings({ [key]: '1' }));
  assert.equal(
    reason('index.number_of_shard'),
    'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
  );
  assert.match(reason('index.foo'), /^unknown setting \[index.foo\] please check that any required plugins/);
});

test('values out of bounds or of the wrong kind are refused in the words of the peer', () => {
  const reason = (key: string, value: string): string =>
    reasonOf(() => validateIndexSettings({ [key]: value }));
  assert.equal(
    reason('index.number_of_shards', '0'),
    'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1',
  );
  assert.equal(
    reason('index.number_of_shards', '99999999999'),
    'Failed to parse value [99999999999] for setting [index.number_of_shards]',
  );
  assert.equal(
    reason('index.hidden', 'maybe'),
    'Failed to parse value [maybe] as only [true] or [false] are allowed.',
  );
  assert.equal(
    reason('index.merge.policy.segments_per_tier', '1.5'),
    'Failed to parse value [1.5] for setting [index.merge.policy.segments_per_tier] must be >= 2',
  );
  assert.match(reason('index.refresh_interval', '5'), /as a time value: unit is missing or unrecognized$/);
  assert.match(reason('index.uuid', 'x'), /private index setting \[index.uuid\] can not be set explicitly/);
  assert.equal(reason('index.refresh_interval', '-1'), 'nothing was thrown');
});

test('every preset is a value that its own row accepts', () => {
  for (const [key, preset] of Object.entries(unsetDefaults({}, { fieldsPerIndex: 1_000 }))) {
    const reason = reasonOf(() => validateIndexSettings({ [key]: preset }));
    assert.ok(
      reason === 'nothing was thrown' || reason.includes('private index setting'),
      `${key}: ${reason}`,
    );
  }
});

const INFO = {
  name: 'a',
  uuid: 'u',
  createdAt: 0,
  state: 'open',
  settings: { 'index.refresh_interval': '5s', 'index.number_of_replicas': '2' },
  mappings: {},
  aliases: {},
} as const;

test('static settings wait for a closed index, final ones for another index', () => {
  const state = (
    key: string,
    info: typeof INFO | (Omit<typeof INFO, 'state'> & { state: 'close' }),
  ): string => reasonOf(() => refuseByState([info], { [key]: 'x' }));
  assert.equal(
    state('index.codec', INFO),
    "Can't update non dynamic settings [[index.codec]] for open indices [[a/u]]",
  );
  assert.equal(state('index.codec', { ...INFO, state: 'close' }), 'nothing was thrown');
  assert.equal(
    state('index.sort.field', { ...INFO, state: 'close' }),
    'final a setting [index.sort.field], not updateable',
  );
  assert.match(
    reasonOf(() => checkUpdate({ 'index.uuid': 'x' })),
    /can not update private setting/,
  );
});

test('changes: removals by pattern, kept values, replicas back to their preset', () => {
  assert.deepEqual(changesFor(INFO, { 'index.refresh*': null }, false), { 'index.refresh_interval': null });
  assert.deepEqual(changesFor(INFO, { 'index.number_of_replicas': null }, false), {
    'index.number_of_replicas': '0',
  });
  assert.deepEqual(changesFor(INFO, { 'index.refresh_interval': '1s', 'index.hidden': 'true' }, true), {
    'index.hidden': 'true',
  });
});

test('edit distance is a metric, and long words are not compared', () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      assert.equal(editDistance(a, b), editDistance(b, a));
      assert.equal(editDistance(a, b) === 0, a === b);
      assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c));
    }),
  );
  assert.deepEqual(nearestNames('x'.repeat(100_000), ['x'], 0.7), []);
});
