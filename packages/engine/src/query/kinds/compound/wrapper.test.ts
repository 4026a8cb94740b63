// Queries around queries plan to what is inside them, and hits report the names of queries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../../test/query-run.ts';
import { makeView } from '../../../../test/query-world.ts';
import { EngineError } from '../../../errors.ts';
import { NamedMatches } from '../../../search/page/matched-queries.ts';
import { parseQuery } from '../../parse.ts';
import type { NamedPlan } from '../../plan/planner.ts';
import { planQuery } from '../../plan-query.ts';
import { UNSUPPORTED_QUERIES } from '../../unsupported.ts';

const mappings = {
  properties: { k: { type: 'keyword' } },
};
const view = makeView(mappings, [
  { id: '1', source: { k: 'a' } },
  { id: '2', source: { k: 'b' } },
]);

test('queries that are not there are named, with what to do instead', () => {
  for (const name of UNSUPPORTED_QUERIES.keys()) {
    assert.throws(
      () => run({ [name]: {} }, view),
      (error) => {
        assert.ok(error instanceof EngineError);
        assert.deepEqual([error.type, error.status], ['parsing_exception', 400]);
        assert.ok(error.message.startsWith(`[${name}] query is not supported: `), error.message);
        return true;
      },
    );
  }
  assert.throws(() => run({ nestd: {} }, view), /unknown query \[nestd\] did you mean \[nested\]/);
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
  const names = (doc: number) => matches.of(doc).map(({ name }) => name);
  assert.deepEqual(names(0), ['is a', 'any', 'whole']);
  assert.deepEqual(names(1), ['any', 'whole']);
});
