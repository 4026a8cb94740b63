// combined_fields beside the matches and scores of Lucene 10.2.1 over the same documents (fixtures/query).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Found, run } from '../../../test/query-run.ts';
import { makeView } from '../../../test/query-world.ts';
import { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';

const FILE = new URL('../../../test/fixtures/query/combined-fields-lucene-10.2.ndjson', import.meta.url);
const [head = '', ...rest] = readFileSync(FILE, 'utf8').trim().split('\n');
const { docs } = JSON.parse(head) as { docs: JsonObject[] };
const text = { type: 'text', analyzer: 'whitespace' };
const mappings = {
  properties: {
    ...{ a: text, b: text, c: text, k: { type: 'keyword' } },
    ...{ bare: { ...text, norms: false }, english: { type: 'text', analyzer: 'english' } },
  },
};
const documents = docs.map((source, i) => ({ id: String(i), source }));

const inOrder = (found: Found[]): Found[] => found.sort((x, y) => y[1] - x[1] || Number(x[0]) - Number(y[0]));

for (const layout of [[60], [-60], [20, -25, 15]]) {
  test(`matches and scores are those of Lucene in the layout ${layout}`, () => {
    const view = makeView(mappings, documents, layout);
    for (const line of rest) {
      const { query, found } = JSON.parse(line) as { query: JsonObject; found: Found[] };
      const own = inOrder(run({ combined_fields: query }, view));
      const wanted = inOrder(found.map(([id, score]) => [id, Math.fround(score)]));
      assert.deepEqual(own, wanted, JSON.stringify(query));
    }
  });
}

test('what does not fit is an error', () => {
  const view = makeView(mappings, documents);
  const cases: readonly [JsonObject, RegExp][] = [
    [{ fields: ['a'] }, /Required \[query\]/],
    [{ query: 'x' }, /at least one field/],
    [{ query: 'x', fields: ['a^0.5'] }, /at least 1\.0/],
    [{ query: 'x', fields: ['a', 'k'] }, /type \[keyword\] does not support/],
    [{ query: 'x', fields: ['a', 'english'] }, /same search analyzer/],
    [{ query: 'x', fields: ['a', 'bare'] }, /norms to be consistent/],
    [{ query: 'x', fields: ['a'], analyzer: 'english' }, /does not support \[analyzer\]/],
  ];
  for (const [query, expected] of cases)
    assert.throws(
      () => run({ combined_fields: query }, view),
      (error) => error instanceof EngineError && expected.test(error.message),
      JSON.stringify(query),
    );
  assert.deepEqual(run({ combined_fields: { query: 'x', fields: ['zz'] } }, view), []);
  const all = { query: '', fields: ['a'], zero_terms_query: 'all' };
  assert.equal(run({ combined_fields: all }, view).length, docs.length);
});
