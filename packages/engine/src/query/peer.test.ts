// Odd and malformed queries get the answers and errors that OpenSearch gives. They were written down from a
// real one (test/fixtures/query/make.ts); intended differences are listed here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CORPORA } from '../../test/fixtures/query/corpus.ts';
import { run } from '../../test/query-run.ts';
import { makeView, ONE } from '../../test/query-world.ts';
import { EngineError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { IndexView } from './plan/index-view.ts';

interface Answer {
  readonly query: JsonObject;
  readonly answer: { hits: [string, number][] } | { error: { type: string; reason: string } };
}

/** Queries that the peer answers otherwise, and why. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ['{"match":{"t":[1]}}', 'the peer answers with status 500'],
  ['{"term":{"k":{"value":"a","boost":-2}}}', 'the peer prints its own rendering of the query'],
  ['{"term":{"k":{"value":"a","boost":[]}}}', 'the peer prints what its JSON library says'],
  ['{"term":{"_field_names":"k"}}', 'ours knows the names of all fields'],
  ['{"term":{"_type":"_doc"}}', 'the peer has no types'],
  ['{"exists":{"field":"*"}}', 'the peer trips over an internal field'],
  ['{"regexp":{"t":{"value":"(a|b)*a(a|b){20}"}}}', 'ours only makes the states that the terms need'],
  ['{"query_string":{"query":"t:quick~a"}}', 'the peer reads ~a as a number and fails'],
  ['{"span_term":{"n":3}}', 'the peer prints a class name'],
  ['{"span_term":{"_id":"1"}}', 'the peer prints encoded bytes'],
  ['{"span_term":{"_index":"p"}}', 'the peer prints a class name'],
  ['{"span_gap":{"t":1}}', 'the peer answers with status 500'],
  [
    '{"terms_set":{"t":{"terms":["a","b","d"],"minimum_should_match_field":"k"}}}',
    'the peer answers with the message of a failed cast',
  ],
  [
    '{"terms_set":{"k":{"terms":["a","b","d"],"minimum_should_match_field":"k"}}}',
    'the peer answers with the message of a failed cast',
  ],
  [
    '{"terms_set":{"t":{"terms":["a","b","d"],"minimum_should_match_field":"t"}}}',
    'fielddata is no way out here',
  ],
  [
    '{"terms_set":{"k":{"terms":["a","b","d"],"minimum_should_match_field":"t"}}}',
    'fielddata is no way out here',
  ],
]);

/** The innermost errors that the peer shows as the root cause. */
function rootCause(error: EngineError): EngineError {
  const inner = error.causedBy;
  if (error.type === 'x_content_parse_exception' && inner?.type === 'parsing_exception')
    return rootCause(inner);
  return error;
}

function compare(line: string, views: readonly IndexView[]): void {
  const { query, answer } = JSON.parse(line) as Answer;
  const text = JSON.stringify(query);
  test(text, { skip: DIFFERENT.get(text) ?? false }, () => {
    for (const view of views) {
      if ('error' in answer) {
        try {
          run(query, view);
        } catch (error) {
          assert.ok(error instanceof EngineError, String(error));
          const { type, message } = rootCause(error);
          assert.deepEqual({ type, reason: message }, answer.error);
          continue;
        }
        assert.fail(`no error, but the peer says ${answer.error.reason}`);
      }
      const ours = new Map(run(query, view));
      assert.deepEqual([...ours.keys()].sort(), answer.hits.map(([id]) => id).sort());
      for (const [id, score] of answer.hits) {
        assert.ok(Math.abs(ours.get(id)! - score) <= 1e-5, `${id}: ${ours.get(id)} for ${score}`);
      }
    }
  });
}

for (const { answers, settings, mappings, docs } of CORPORA) {
  const file = new URL(`../../test/fixtures/query/${answers}`, import.meta.url);
  const views = [makeView(mappings, docs, ONE, settings), makeView(mappings, docs, [1, -2, 1], settings)];
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) compare(line, views);
}
