// Parameters of a search that have no effect here, or only beside others: what OpenSearch 3.1 refuses is refused, and
// what asks for nothing is accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();
await ask('PUT /a/_doc/1?refresh=true', { n: 1 });

const unknown = (endpoint: string, names: string): string =>
  `request [/a/${endpoint}] contains unrecognized ${names}`;

const REFUSED: readonly [request: string, reason: string][] = [
  ['POST /a/_search?df=n', unknown('_search', 'parameter: [df]')],
  ['POST /a/_search?analyzer=standard', unknown('_search', 'parameter: [analyzer]')],
  ['POST /a/_search?lenient=true&df=n', unknown('_search', 'parameters: [df], [lenient]')],
  ['POST /a/_search?default_operator=and', unknown('_search', 'parameter: [default_operator]')],
  [
    'POST /a/_search?suggest_text=a',
    unknown('_search', 'parameter: [suggest_text] -> did you mean [suggest_field]?'),
  ],
  ['POST /a/_count?df=n', unknown('_count', 'parameter: [df]')],
  ['POST /a/_validate/query?df=n', unknown('_validate/query', 'parameter: [df]')],
  ['POST /a/_delete_by_query?df=n', unknown('_delete_by_query', 'parameter: [df]')],
  ['DELETE /a/_doc/1?require_alias=true', unknown('_doc/1', 'parameter: [require_alias]')],
  ['DELETE /a/_doc/1?pipeline=x', unknown('_doc/1', 'parameter: [pipeline]')],
  ['POST /a/_search?preference=_foo', 'no Preference for [_foo]'],
  ['POST /a/_search?preference=_', 'no Preference for [_]'],
  ['POST /a/_count?preference=_foo', 'no Preference for [_foo]'],
  ['GET /a/_doc/1?preference=_foo', 'no Preference for [_foo]'],
  ['POST /a/_search?search_pipeline=foo', 'Pipeline foo is not defined'],
  [
    'POST /a/_search?verbose_pipeline=true',
    "The 'verbose pipeline' option requires a search pipeline to be defined.",
  ],
  [
    'POST /a/_search?cancel_after_time_interval=foo',
    'failed to parse setting [cancel_after_time_interval] with value [foo] as a time value: unit is missing or unrecognized',
  ],
  [
    'POST /a/_flush?wait_if_ongoing=foo',
    'Failed to parse value [foo] as only [true] or [false] are allowed.',
  ],
  [
    'POST /a/_flush?force=true&wait_if_ongoing=false',
    'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
  ],
];

test('what the peer refuses is refused', async () => {
  for (const [request, reason] of REFUSED) {
    const body = request.includes('by_query') ? { query: { match_none: {} } } : undefined;
    const reply = await ask(request, body);
    assert.equal(reply.status, 400, request);
    assert.equal(reply.body.error.reason, reason, request);
  }
  const many = await ask('POST /a/_msearch', '{"preference":"_foo"}\n{}\n{}\n{}\n');
  assert.deepEqual(
    many.body.responses.map((each: { status: number }) => each.status),
    [400, 200],
  );
});

test('what the peer accepts is accepted', async () => {
  const preferences = [
    '_local',
    '_only_local',
    '_primary',
    '_prefer_nodes:a',
    '_shards:0',
    '_shards:0|_local',
    'me',
    '',
  ];
  for (const preference of preferences) {
    const reply = await ask(`POST /a/_search?preference=${encodeURIComponent(preference)}`);
    assert.equal(reply.body.hits.total.value, 1, preference);
  }
  const others = ['_search?df=n&q=1', '_search?search_pipeline=_none', '_search?verbose_pipeline=false'];
  for (const path of [...others, '_forcemerge?only_expunge_deletes=true&max_num_segments=1']) {
    assert.equal((await ask(`POST /a/${path}`)).status, 200, path);
  }
});

test('members that ask for nothing are accepted as empty objects', async () => {
  for (const member of ['aggs', 'aggregations', 'script_fields', 'derived']) {
    const empty = await ask('POST /a/_search', { [member]: {} });
    assert.equal(empty.body.hits?.total.value, 1, member);
    assert.equal('aggregations' in empty.body, false);
    assert.deepEqual(empty.body.hits.hits[0]._source, { n: 1 });
  }
});

test('anything else there is refused', onlyEmbedded('it has them'), async () => {
  for (const member of ['aggs', 'aggregations', 'script_fields', 'derived']) {
    for (const value of [[], null, 1, { a: {} }]) {
      assert.equal((await ask('POST /a/_search', { [member]: value })).status, 400, member);
    }
  }
});
