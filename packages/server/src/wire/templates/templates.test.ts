// Templates are applied by name, priority and order; an index that a write creates gets them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EngineError } from '@octavo/engine';
import fc from 'fast-check';
import { ownEngine } from '../../../test/own-engine.ts';
import { matchesWildcard, wildcardsOverlap } from '../../patterns/wildcard.ts';
import { applyTemplates, mergeMappings, type Templates } from './apply-templates.ts';
import { indexDefaults } from './index-defaults.ts';

const PATTERN = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 6 }).map((parts) => parts.join(''));
const NAME = fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 }).map((parts) => parts.join(''));

/** Fits, by trying every split: slow and plainly right. */
function fitsSlowly(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  if (pattern[0] === '*') {
    return fitsSlowly(pattern.slice(1), name) || (name !== '' && fitsSlowly(pattern, name.slice(1)));
  }
  return pattern[0] === name[0] && fitsSlowly(pattern.slice(1), name.slice(1));
}

test('patterns fit as trying every split says', () => {
  fc.assert(
    fc.property(
      PATTERN,
      NAME,
      (pattern, name) => matchesWildcard(pattern, name) === fitsSlowly(pattern, name),
    ),
    {
      numRuns: 2000,
    },
  );
});

test('patterns overlap when some short name fits both', () => {
  const names = [''];
  for (let at = 0; names[at]!.length < 7; at++) names.push(`${names[at]}a`, `${names[at]}b`);
  const short = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 3 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      short,
      short,
      (a, b) =>
        wildcardsOverlap(a, b) === names.some((name) => matchesWildcard(a, name) && matchesWildcard(b, name)),
    ),
    { numRuns: 1000 },
  );
});

test('a pattern of many stars is decided in linear time', () => {
  assert.equal(matchesWildcard('*a'.repeat(5_000), 'a'.repeat(4_999)), false);
});

const NOTHING = { settings: {}, mappings: {}, aliases: {} };

function legacy(patterns: string[], order: number, replicas: string): [string, never] {
  const settings = { 'index.number_of_replicas': replicas };
  return [`t${order}`, { patterns, order, version: undefined, ...NOTHING, settings } as never];
}

test('legacy templates apply in order, the request last', () => {
  const templates: Templates = {
    legacy: new Map([legacy(['*'], 2, '2'), legacy(['x-*'], 1, '1'), legacy(['y-*'], 9, '9')]),
    composable: new Map(),
    components: new Map(),
  };
  assert.equal(applyTemplates('x-1', templates, NOTHING).settings['index.number_of_replicas'], '2');
  const own = { ...NOTHING, settings: { 'index.number_of_replicas': '0' } };
  assert.equal(applyTemplates('x-1', templates, own).settings['index.number_of_replicas'], '0');
});

test('the composable template of the highest priority shuts out the others, over its components', () => {
  const part = (settings: Record<string, string>) => ({
    settings,
    mappings: undefined,
    aliases: { '{index}-all': {} },
  });
  const templates: Templates = {
    legacy: new Map([legacy(['*'], 1, '7')]),
    composable: new Map([
      ['low', { patterns: ['x*'], composedOf: [], priority: 1, template: part({ a: 'low' }) }],
      ['high', { patterns: ['x*'], composedOf: ['c', 'gone'], priority: 2, template: part({ a: 'high' }) }],
    ]),
    components: new Map([['c', part({ a: 'component', b: 'component' })]]),
  };
  assert.deepEqual(JSON.parse(JSON.stringify(applyTemplates('x1', templates, NOTHING))), {
    settings: { a: 'high', b: 'component' },
    mappings: {},
    aliases: { 'x1-all': {} },
  });
});

test('mappings merge by object; a leaf is replaced whole', () => {
  const below = {
    properties: { a: { type: 'text', analyzer: 'x' }, o: { properties: { p: { type: 'long' } } } },
  };
  const above = { properties: { a: { type: 'keyword' }, o: { properties: { q: { type: 'date' } } } } };
  assert.deepEqual(JSON.parse(JSON.stringify(mergeMappings(below, above))), {
    properties: { a: { type: 'keyword' }, o: { properties: { p: { type: 'long' }, q: { type: 'date' } } } },
  });
});

test('auto-creation: names are checked, the first rule that fits decides', async () => {
  const { engine, end } = await ownEngine();
  after(end);
  const defaults = indexDefaults(engine);
  const rule = (text: string): Promise<void> =>
    engine.settings.put('cluster', 'persistent', { 'action.auto_create_index': text });
  assert.deepEqual(defaults('a').settings, {});
  assert.throws(
    () => defaults('Upper'),
    (e) => e instanceof EngineError && e.type === 'invalid_index_name_exception',
  );
  await rule('+logs-*,-*');
  assert.ok(defaults('logs-1'));
  assert.throws(() => defaults('x'), /contains \[-\*\] which forbids automatic creation/);
  await rule('false');
  assert.throws(() => defaults('x'), /no such index \[x\] and \[action.auto_create_index\] is \[false\]/);
  await rule('a*');
  assert.throws(() => defaults('b'), /doesn't match/);
});
