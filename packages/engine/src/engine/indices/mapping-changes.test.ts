// Mappings of several indices change together or not at all, also while documents extend one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysis } from '../../analysis/registry.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { JsonObject } from '../../json/value.ts';
import { mergeMapping, parseMapping } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { runToEnd } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { changeMappings } from './mapping-changes.ts';

const mappingOf = (properties: JsonObject): Mapping => parseMapping({ properties }, buildAnalysis({}));

/** Two indices, and a catalog that documents get ahead of: `meanwhile` while it saves for the n-th time. */
function world(meanwhile: (n: number, states: readonly IndexState[]) => void): {
  states: IndexState[];
  catalog: Catalog;
  saved: Map<string, unknown>;
} {
  const states = ['a', 'b'].map((name, number) => {
    const mapping = mappingOf({ n: { type: 'long' } });
    const state = { info: { name, settings: {} }, number, mapping, savedMapping: mapping };
    return Object.assign(state, {
      markMappingSaved: () => void (state.savedMapping = state.mapping),
    }) as unknown as IndexState;
  });
  const saved = new Map<string, unknown>();
  let commits = 0;
  const commit: Catalog['commit'] = async (changes) => {
    await undefined;
    meanwhile(commits++, states);
    for (const { put } of changes) saved.set(put![1], (put![2] as { properties: JsonObject }).properties);
  };
  return { states, saved, catalog: { commit } as Catalog };
}

const keyword = (current: Mapping): Generator<void, Mapping, undefined> =>
  mergeMapping(current, { properties: { p: { type: 'keyword' } } });
const extend = (state: IndexState, properties: JsonObject): void => {
  state.mapping = runToEnd(mergeMapping(state.mapping, { properties }));
};
const shown = ({ mapping }: IndexState): string[] => Object.keys(mapping.toJson()['properties'] as object);

test('all are changed in one commit, and those that say something else are told', async () => {
  const { states, catalog, saved } = world(() => {});
  assert.deepEqual(await changeMappings(catalog, states, keyword), states);
  assert.deepEqual(states.map(shown), [
    ['n', 'p'],
    ['n', 'p'],
  ]);
  assert.equal(saved.size, 2);
  assert.deepEqual(await changeMappings(catalog, states, keyword), []);
});

test('fields that documents bring meanwhile stay', async () => {
  const { states, catalog, saved } = world((n, [, b]) => {
    if (n < 2) extend(b!, { [`x${n}`]: { type: 'text' } });
  });
  assert.deepEqual(await changeMappings(catalog, states, keyword), states);
  assert.deepEqual(
    states.map((state) => shown(state).toSorted()),
    [
      ['n', 'p'],
      ['n', 'p', 'x0', 'x1'],
    ],
  );
  for (const { number, mapping } of states)
    assert.deepEqual(saved.get(String(number)), mapping.toJson()['properties']);
});

test('a mapping that documents extend while it is changed is changed from what they made', async () => {
  const { states, catalog } = world(() => {});
  let changes = 0;
  const slowly = function* (current: Mapping): Generator<void, Mapping, undefined> {
    const merged = yield* keyword(current);
    if (changes++ === 0) extend(states[0]!, { x: { type: 'text' } });
    return merged;
  };
  assert.deepEqual(await changeMappings(catalog, states, slowly), states);
  assert.deepEqual(
    states.map((state) => shown(state).toSorted()),
    [
      ['n', 'p', 'x'],
      ['n', 'p'],
    ],
  );
});

test('where one refuses after that, what was saved for the others is taken back', async () => {
  for (const late of [0, 1]) {
    const { states, catalog, saved } = world((n, [, b]) => {
      if (n <= late) extend(b!, n < late ? { x: { type: 'text' } } : { p: { type: 'long' } });
    });
    await assert.rejects(changeMappings(catalog, states, keyword), /cannot be changed from type/);
    assert.deepEqual(shown(states[0]!), ['n']);
    assert.ok(shown(states[1]!).includes('p'));
    for (const { number, mapping } of states)
      assert.deepEqual(saved.get(String(number)), mapping.toJson()['properties']);
  }
});
