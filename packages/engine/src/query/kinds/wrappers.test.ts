// Do queries around queries come to what is inside them, and are names of queries told for hits?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../test/query-run.ts';
import { makeView } from '../../../test/query-world.ts';
import { EngineError } from '../../errors.ts';
import { NamedMatches } from '../named.ts';
import { parseQuery } from '../parse.ts';
import { type NamedPlan, planQuery } from '../planner.ts';

const mappings = {
  properties: { k: { type: 'keyword' }, o: { type: 'nested', properties: { x: { type: 'keyword' } } } },
};
const view = makeView(mappings, [
  { id: '1', source: { k: 'a', o: [{ x: 'q' }] } },
  { id: '2', source: { k: 'b' } },
]);

test('nested is the query inside it', () => {
  assert.deepEqual(run({ nested: { path: 'o', query: { term: { 'o.x': 'q' } } } }, view), [['1', 1]]);
  assert.throws(() => run({ nested: { path: 'p', query: { match_all: {} } } }, view), EngineError);
  assert.deepEqual(run({ nested: { path: 'p', ignore_unmapped: true, query: { match_all: {} } } }, view), []);
});

test('a wrapper is the query inside it, however deep', () => {
  const wrap = (query: object) => ({
    wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
  });
  assert.deepEqual(run(wrap(wrap({ term: { k: 'b' } })), view), [['2', 1]]);
  assert.throws(() => run({ wrapper: { query: '???' } }, view), EngineError);
  assert.throws(() => run({ wrapper: { query: 7 } }, view), EngineError);
});

test('named queries are told for each document', () => {
  const named: NamedPlan[] = [];
  const query = parseQuery({
    bool: {
      should: [{ term: { k: { value: 'a', _name: 'is a' } } }, { match_all: { _name: 'any' } }],
      _name: 'whole',
    },
  });
  planQuery(query, view, { now: 0, scores: true, named });
  const matches = new NamedMatches(named, view.leaves[0]!.leaf);
  assert.deepEqual(matches.of(0), ['is a', 'any', 'whole']);
  assert.deepEqual(matches.of(1), ['any', 'whole']);
});
