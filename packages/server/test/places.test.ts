// Errors of queries name line and column as OpenSearch 3.1 does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();
await ask('PUT /a', { mappings: { properties: { t: { type: 'text' }, n: { type: 'long' } } } });

/** Body, then type, reason, line and column of the error; [line:col] in the reason of types that have no details. */
const PARSING: readonly [body: string, reason: string, line: number, col: number][] = [
  ['{"query":{"nope":{}}}', 'unknown query [nope]', 1, 18],
  ['{"query":{"matc":{"t":"x"}}}', 'unknown query [matc] did you mean [match]?', 1, 18],
  ['{"query":{"term":[]}}', '[term] query malformed, no start_object after query name', 1, 18],
  ['{"query":{"term":{"a":1,"b":2}}}', "[term] query doesn't support multiple fields, found [a] and [b]", 1, 29],
  ['{"query":[]}', 'Unknown key for a START_ARRAY in [query].', 1, 10],
  ['{"query":{"match":{"t":{"query":"x","zzz":1}}}}', '[match] query does not support [zzz]', 1, 43],
  ['{"query":{"range":{"n":{"gte":1,"foo":2}}}}', '[range] query does not support [foo]', 1, 39],
  ['{"query":{"match_all":{}, "term":{}}}', '[match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]', 1, 27],
  ['{"query":{"exists":{"a":1}}}', '[exists] query does not support [a]', 1, 25],
  ['{"nope":1}', 'Unknown key for a VALUE_NUMBER in [nope].', 1, 9],
  ['{"query":{"match":{}}}', 'No text specified for text query', 1, 20],
  ['{"query":{"dis_max":{"queries":[{"nope":{}}]}}}', 'unknown query [nope]', 1, 41],
  ['{"post_filter":{"nope":{}}}', 'unknown query [nope]', 1, 24],
  ['{"_source":5}', 'Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [VALUE_NUMBER]', 1, 12],
  ['{\n "size": 1,\n "query": {"nope": {}}}', 'unknown query [nope]', 3, 20],
  // Columns count bytes.
  ['{"size":1, "query":{"term":{"ä":1,"b":2}}}', "[term] query doesn't support multiple fields, found [ä] and [b]", 1, 40],
]; // biome-ignore format: a table

test('parsing errors carry line and column', async () => {
  for (const [body, reason, line, col] of PARSING) {
    const { status, body: reply } = await ask('POST /a/_search', body);
    assert.equal(status, 400, body);
    const { caused_by: cause, root_cause: _, ...error } = reply.error;
    assert.deepEqual(error, { type: 'parsing_exception', reason, line, col }, body);
    assert.deepEqual(reply.error.root_cause, [error]);
    if (reason.startsWith('unknown query'))
      assert.match(cause.reason, new RegExp(`^\\[${line}:${col}\\] unknown field`));
  }
});

test('errors of parsers within parsers: each has its place, the innermost is the root cause', async () => {
  const cases: [body: string, outer: string, root: string][] = [
    ['{"query":{"bool":{"must":{"nope":{}}}}}', '[1:34] [bool] failed to parse field [must]', 'unknown query [nope]'],
    ['{\n "query": {\n   "bool": {"filter": [ {"term": {"a": {"value":1, "zz": 2}}}]}}}', '[3:58] [bool] failed to parse field [filter]', '[term] query does not support [zz]'],
    ['{"query":{"bool":{"mist":{}}}}', '[1:19] [bool] unknown field [mist] did you mean [must]?', '[1:19] [bool] unknown field [mist] did you mean [must]?'],
    ['{"query":{"bool":{"must":{"bool":{"must":{"bool":{"mist":{}}}}}}}}', '[1:58] [bool] failed to parse field [must]', '[1:51] [bool] unknown field [mist] did you mean [must]?'],
    ['{"query":{"bool":{"must":[{"match":{"t":{"query":"a","operator":"foo"}}}]}}}', '[1:65] [bool] failed to parse field [must]', '[1:65] [bool] failed to parse field [must]'],
    ['{"sort":[{"n":{"order":"up"}}]}', '[1:24] [field_sort] failed to parse field [order]', '[1:24] [field_sort] failed to parse field [order]'],
    ['{"sort":[{"n":{"zzz":"up"}}]}', '[1:16] [field_sort] unknown field [zzz]', '[1:16] [field_sort] unknown field [zzz]'],
    ['{"query":{}}', 'query malformed, empty clause found at [1:11]', 'query malformed, empty clause found at [1:11]'],
  ]; // biome-ignore format: a table
  for (const [body, outer, root] of cases) {
    const { error } = (await ask('POST /a/_search', body)).body;
    assert.equal(error.reason, outer, body);
    assert.equal(error.root_cause[0].reason, root, body);
  }
});

test('counts and deletes by query name the place as well', async () => {
  for (const path of ['POST /a/_count', 'POST /a/_delete_by_query']) {
    const { error } = (await ask(path, '{"query":{"nope":{}}}')).body;
    assert.deepEqual([error.line, error.col], [1, 18], path);
  }
});

test(
  'parts of a search that are not supported: 400, by name',
  onlyEmbedded('a cluster has them'),
  async () => {
    for (const [part, value] of Object.entries({
      knn: { a: {} },
      runtime_mappings: { a: {} },
    })) {
      const { status, body } = await ask('POST /a/_search', { [part]: value });
      assert.equal(status, 400);
      assert.equal(body.error.type, 'illegal_argument_exception');
      assert.equal(body.error.reason, `[${part}] is not supported by this server`);
    }
  },
);
