// Queries find the documents of OpenSearch, with its scores. The answers were recorded from a real one
// (test/fixtures/bm25/make.ts). The documents are in one sealed leaf, in a tail, and in many leaves of both kinds.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MAPPINGS, makeDocs } from '../../test/fixtures/bm25/corpus.ts';
import { QUERIES } from '../../test/fixtures/bm25/queries.ts';
import { run } from '../../test/query-run.ts';
import { makeView } from '../../test/query-world.ts';
import { EngineError } from '../errors.ts';

interface Answer {
  readonly query: object;
  readonly hits?: [string, number][];
  readonly error?: { type: string; reason: string };
}

const file = new URL('../../test/fixtures/bm25/opensearch-3.1.json', import.meta.url);
const answers = JSON.parse(readFileSync(file, 'utf8')) as Answer[];

const docs = makeDocs();
const layouts = {
  'one sealed leaf': makeView(MAPPINGS, docs),
  'a tail': makeView(MAPPINGS, docs, [1_000_000]),
  'many leaves': makeView(MAPPINGS, docs, [-60, 7, 50, -3, 40]),
};

test('the fixture belongs to the queries', () => {
  assert.deepEqual(
    answers.map((answer) => answer.query),
    QUERIES,
  );
});

for (const [name, view] of Object.entries(layouts)) {
  QUERIES.forEach((query, i) => {
    const text = JSON.stringify(query);
    test(`${name}: ${text}`, () => {
      const { hits, error } = answers[i]!;
      if (error !== undefined) {
        const told = (e: unknown): boolean =>
          e instanceof EngineError && e.type === error.type && e.message === error.reason;
        assert.throws(() => run(query, view), told);
        return;
      }
      const ours = new Map(run(query, view));
      const theirs = new Map(hits);
      assert.deepEqual([...ours.keys()].sort(), [...theirs.keys()].sort());
      for (const [id, score] of theirs) {
        const mine = ours.get(id)!;
        assert.ok(Math.abs(mine - score) <= 1e-5 * Math.max(1, score), `${id}: ${mine} for ${score}`);
      }
    });
  });
}
