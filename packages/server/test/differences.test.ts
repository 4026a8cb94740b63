// Differences from OpenSearch 3.1 that `npm run differential` has found. Each test has the smallest request; the expected
// values are the peer's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
await ask('PUT /d', {
  mappings: {
    properties: {
      n: { type: 'integer' },
      al: { type: 'alias', path: 'n' },
      k: { type: 'keyword' },
      flag: { type: 'boolean' },
      place: { type: 'geo_point' },
      t: { type: 'text' },
      o: { properties: { t: { type: 'text' } } },
    },
  },
});
await ask('PUT /d/_doc/1', { n: 1, k: 'a', flag: true, place: [1, 2], t: 'red fox', o: { t: 'x' } });
await ask('PUT /d/_doc/2', {
  ...{ n: 2, k: '', place: ['3,4', 'POINT (5 6.25)', { lat: 7, lon: 8.123456789 }], t: 'a b' },
});
await ask('PUT /d/_doc/3?refresh=true', { n: [1, 2], place: 'u0' });

type Search = Record<string, unknown>;
const search = (body: Search, parameters = ''): ReturnType<typeof ask> =>
  ask(`POST /d/_search${parameters}`, { sort: ['_doc'], _source: false, ...body });

function reasonOf(reply: Awaited<ReturnType<typeof ask>>): unknown[] {
  const error = reply.body['error'] as { root_cause: { type: string; reason: string }[] };
  return [reply.status, error.root_cause[0]?.type, error.root_cause[0]?.reason];
}

test('fields shows points as GeoJSON or WKT, from the source', async () => {
  const shown = async (format?: string): Promise<unknown> => {
    const { body } = await search({
      fields: [{ field: 'place', ...(format === undefined ? {} : { format }) }],
    });
    const { hits } = body['hits'] as { hits: { fields: { place: unknown } }[] };
    return hits.map(({ fields }) => fields.place);
  };
  const point = (lon: number, lat: number): object => ({ coordinates: [lon, lat], type: 'Point' });
  assert.deepEqual(await shown(), [
    [point(1, 2)],
    [point(4, 3), point(5, 6.25), point(8.123456789, 7)],
    [point(0, 45)],
  ]);
  assert.deepEqual(await shown('wkt'), [
    ['POINT (1.0 2.0)'],
    ['POINT (4.0 3.0)', 'POINT (5.0 6.25)', 'POINT (8.123456789 7.0)'],
    ['POINT (0.0 45.0)'],
  ]);
  const refused = await search({ fields: [{ field: 'place', format: 'foo' }] });
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.body), /Unrecognized geometry format \[foo\]\./);
});

test('_field_caps shows aliases as their fields, objects of fields, and metadata', async () => {
  const caps = async (fields: string): Promise<Record<string, Record<string, object>>> =>
    (await ask(`GET /d/_field_caps?fields=${fields}`)).body['fields'] as never;
  assert.deepEqual(await caps('al'), {
    al: { integer: { type: 'integer', searchable: true, aggregatable: true } },
  });
  assert.deepEqual(Object.keys(await caps('o.*')).sort(), ['o', 'o.t']);
  assert.deepEqual(await caps('o'), {});
  const metadata = await caps('_*');
  const uses = (name: string): unknown[] =>
    Object.values(metadata[name]!).flatMap((each) => Object.values(each).slice(1));
  assert.deepEqual(
    ['_id', '_routing', '_version', '_source', '_seq_no', '_doc_count', '_nested_path'].map(uses),
    [
      [true, true],
      [true, false],
      [false, false],
      [false, false],
      [true, true],
      [false, false],
      [true, false],
    ],
  );
});

test('rings of geo_distance come in the order of the request', async () => {
  const ranges = [{ from: 10 }, { to: 5 }, {}, { from: 5, to: 7 }];
  const { body } = await search({
    size: 0,
    aggs: { x: { geo_distance: { field: 'place', origin: [0, 0], ranges } } },
  });
  const { x } = body['aggregations'] as { x: { buckets: { key: string; doc_count: number }[] } };
  assert.deepEqual(
    x.buckets.map(({ key, doc_count }) => [key, doc_count]),
    [
      ['10.0-*', 3],
      ['*-5.0', 0],
      ['*-*', 3],
      ['5.0-7.0', 0],
    ],
  );
});

test('a collapse over several values is an illegal state', async () => {
  const reply = await search({ collapse: { field: 'n' } });
  assert.deepEqual(reasonOf(reply).slice(0, 2), [500, 'illegal_state_exception']);
});

test('top_hits shows scores where they are the only order', async () => {
  const scoreBy = async (sort: unknown): Promise<unknown> => {
    const { body } = await search({ size: 0, aggs: { x: { top_hits: { size: 1, sort } } } });
    const { hits } = body['aggregations'].x;
    return [hits.max_score, hits.hits[0]._score, hits.hits[0].sort];
  };
  assert.deepEqual(await scoreBy(['_score']), [1, 1, undefined]);
  assert.deepEqual(await scoreBy([{ _score: { order: 'desc' } }]), [1, 1, undefined]);
  assert.deepEqual(await scoreBy([{ _score: 'asc' }]), [null, null, [1]]);
  assert.deepEqual(await scoreBy(['_score', { seq: { order: 'asc', unmapped_type: 'long', missing: 5 } }]), [
    ...[null, null],
    [1, 5],
  ]);
});

test('composite names the source that it does not have', async () => {
  const sources = [{ y: { geotile_grid: { field: 'place' } } }];
  const reply = await search({ size: 0, aggs: { x: { composite: { sources } } } });
  assert.equal(reply.status, 400);
  assert.match(String(reasonOf(reply)[2]), /\[geotile_grid\] in \[composite\] is not supported/);
});

test('the analyzer keyword makes one word of a text', async () => {
  const total = async (query: object): Promise<unknown> => {
    const { status, body } = await search({ query });
    return [status, (body['hits'] as { total: { value: number } } | undefined)?.total.value];
  };
  assert.deepEqual(
    await total({ query_string: { query: 'red fox', default_field: 't', analyzer: 'keyword' } }),
    [200, 0],
  );
  assert.deepEqual(
    await total({ query_string: { query: 'red', default_field: 't', analyzer: 'keyword' } }),
    [200, 1],
  );
  assert.deepEqual(
    await total({ match_phrase_prefix: { t: { query: 're', analyzer: 'keyword' } } }),
    [200, 1],
  );
});

test('doc_as_upsert counts more than upsert', async () => {
  await ask('POST /d/_update/new', { doc: { n: 5 }, doc_as_upsert: true, upsert: { n: 9 } });
  assert.deepEqual((await ask('GET /d/_doc/new')).body['_source'], { n: 5 });
  await ask('DELETE /d/_doc/new?refresh=true');
});

test('values of a keyword are analysed without a gap', async () => {
  const positions = async (field: string): Promise<number[]> => {
    const { body } = await ask('POST /d/_analyze', { text: ['x', 'y'], field });
    return (body['tokens'] as { position: number }[]).map(({ position }) => position);
  };
  assert.deepEqual(await positions('k'), [0, 1]);
  assert.deepEqual(await positions('t'), [0, 101]);
});

test('a format of values that have none is refused', async () => {
  for (const [aggregation, field, type] of [
    ['terms', 'k', 'keyword'],
    ['max', 'flag', 'boolean'],
  ] as const) {
    const reply = await search({ size: 0, aggs: { x: { [aggregation]: { field, format: '0.0' } } } });
    const reason = `Field [${field}] of type [${type}] does not support custom formats`;
    assert.deepEqual(reasonOf(reply), [400, 'illegal_argument_exception', reason]);
  }
});

test('filter_path leaves errors whole', async () => {
  const reply = await search({ query: { term: { n: 'x' } } }, '?filter_path=took');
  assert.equal(reply.status, 400);
  assert.ok('error' in reply.body);
  assert.deepEqual((await ask('GET /d/_doc/none?filter_path=found')).body, { found: false });
});

test('all fields among others are searched leniently', async () => {
  for (const kind of ['query_string', 'simple_query_string'])
    assert.equal((await search({ query: { [kind]: { query: 'red', fields: ['o.*', '*'] } } })).status, 200);
});

test('_explain reports the error of the shard', async () => {
  const reply = await ask('POST /d/_explain/1', { query: { match_phrase_prefix: { k: 'a' } } });
  const error = reply.body['error'] as { type: string };
  assert.deepEqual([reply.status, error.type], [400, 'query_shard_exception']);
});

test('highlight needs both tags, and shows nothing of an empty keyword', async () => {
  const tags = await search({
    query: { match_all: {} },
    highlight: { pre_tags: ['<b>'], fields: { t: {} } },
  });
  assert.deepEqual(reasonOf(tags).slice(0, 2), [400, 'parsing_exception']);
  const { body } = await search({ query: { term: { k: '' } }, highlight: { fields: { k: {} } } });
  const { hits } = body['hits'] as { hits: object[] };
  assert.deepEqual(
    hits.map((hit) => 'highlight' in hit),
    [false],
  );
});

test('only a parameter shows the scores of named queries', async () => {
  const query = { match_all: { _name: 'all' } };
  const shown = async (body: Search, parameters = ''): Promise<unknown> => {
    const reply = await search({ query, size: 1, ...body }, parameters);
    return (reply.body['hits'] as { hits: { matched_queries: unknown }[] }).hits[0]!.matched_queries;
  };
  assert.deepEqual(await shown({ include_named_queries_score: true }), ['all']);
  assert.deepEqual(await shown({}, '?include_named_queries_score=true'), { all: 1 });
});

test('a document with equal values above is counted once for each, in all aggregations below', async () => {
  await ask('PUT /e', {
    mappings: { properties: { n: { type: 'integer' }, ip: { type: 'ip' }, k: { type: 'keyword' } } },
  });
  await ask('PUT /e/_doc/1?refresh=true', { n: [2, 6], ip: ['1.1.1.1', '1.1.1.2'], k: 'a' });
  const countBelow = async (below: object): Promise<unknown> => {
    const sources = [{ y: { histogram: { field: 'n', interval: 20 } } }];
    const aggs = { c: { composite: { sources }, aggs: { below } } };
    const { body } = await ask('POST /e/_search', { size: 0, aggs });
    const { c } = body['aggregations'] as {
      c: { buckets: { below: { doc_count?: number; buckets?: { doc_count: number }[] } }[] };
    };
    const [bucket] = c.buckets;
    return bucket?.below.doc_count ?? bucket?.below.buckets?.map(({ doc_count }) => doc_count);
  };
  assert.deepEqual(await countBelow({ range: { field: 'n', ranges: [{}, { from: 5 }] } }), [2, 2]);
  assert.deepEqual(await countBelow({ ip_range: { field: 'ip', ranges: [{ from: '1.1.1.0' }] } }), [2]);
  assert.deepEqual(await countBelow({ multi_terms: { terms: [{ field: 'k' }, { field: 'ip' }] } }), [2, 2]);
  assert.deepEqual(await countBelow({ matrix_stats: { fields: ['n'] } }), 2);
});

test('a date histogram over whole numbers prints its keys by a pattern for numbers', async () => {
  const sources = [{ x: { date_histogram: { field: 'n', fixed_interval: '1ms', format: '#,##0.0' } } }];
  const page = async (after?: object): Promise<unknown> => {
    const { body } = await search({ size: 0, aggs: { c: { composite: { size: 1, sources, ...after } } } });
    return (body['aggregations'] as { c: { after_key?: unknown } }).c.after_key;
  };
  assert.deepEqual(await page(), { x: '1.0' });
  assert.deepEqual(await page({ after: { x: '1.0' } }), { x: '2.0' });
  const terms = await search({
    aggs: { c: { composite: { sources: [{ x: { terms: { field: 'n', format: '0' } } }] } } },
  });
  assert.equal(terms.status, 400);
});

test('values of a wrong type are not taken as absent', async () => {
  const fields = [[null], [[]], [{ field: 'n', format: 5 }], [{ field: 'n', format: {} }], [{ field: null }]];
  const features = [5, true, null, ['n']].flatMap((field) => [
    { distance_feature: { field, origin: '2020-01-01', pivot: '1d' } },
    { rank_feature: { field } },
  ]);
  const bodies: Search[] = [
    ...fields.flatMap((list): Search[] => [{ docvalue_fields: list }, { fields: list }]),
    ...features.map((query) => ({ query })),
    { aggs: { a: { diversified_sampler: { shard_size: -1, field: 'n' } } } },
    { aggs: { a: { adjacency_matrix: { filters: { a: { slop: 1 } } } } } },
  ];
  for (const body of bodies) {
    const reply = await search(body);
    const { type } = reply.body['error'] as { type: string };
    assert.deepEqual([reply.status, type], [400, 'x_content_parse_exception'], JSON.stringify(body));
  }
  assert.equal((await search({ docvalue_fields: [{ field: 'n', format: null }] })).status, 200);
  const { status, body } = await search({ track_total_hits: 3_000_000_000 });
  assert.deepEqual([status, (body['error'] as { type: string }).type], [400, 'input_coercion_exception']);
});

test('a word that is still typed is refused by fields without words, and tags of a schema are a pair', async () => {
  const query = { match_bool_prefix: { n: { query: 5, analyzer: 'keyword' } } };
  const reason =
    'Can only use prefix queries on keyword and text fields - not on [n] which is of type [integer]';
  assert.deepEqual(reasonOf(await search({ query })), [400, 'query_shard_exception', reason]);
  assert.equal((await search({ highlight: { pre_tags: [], tags_schema: 'styled' } })).status, 200);
});

test('completions with one score and one text are in the order of their documents', async () => {
  await ask('PUT /co', { mappings: { properties: { done: { type: 'completion' } } } });
  for (const [id, weight] of [0, 1, 0, 1].entries())
    await ask(`PUT /co/_doc/${id}?refresh=true`, { done: { input: ['red'], weight } });
  const suggest = { s: { prefix: 're', completion: { field: 'done', fuzzy: {} } } };
  const { body } = await ask('POST /co/_search', { suggest });
  const { s } = body['suggest'] as { s: { options: { _id: string }[] }[] };
  assert.deepEqual(
    s[0]?.options.map(({ _id }) => _id),
    ['0', '1', '2', '3'],
  );
});

test('sort values are of the type that numeric_type names', async () => {
  const { text } = await search({ sort: { n: { numeric_type: 'double' } }, size: 1 });
  assert.match(text, /"sort":\[1\.0\]/);
});

test('bucket_sort compares the keys of composite buckets by their values', async () => {
  const sources = [{ z: { terms: { field: 'n', order: 'desc' } } }];
  const aggs = { sorted: { bucket_sort: { sort: [{ _key: {} }] } } };
  const { body } = await search({ size: 0, aggs: { c: { composite: { sources }, aggs } } });
  const { c } = body['aggregations'] as { c: { buckets: { key: object }[] } };
  assert.deepEqual(
    c.buckets.map(({ key }) => key),
    [{ z: 1 }, { z: 2 }],
  );
});

test('simple_query_string takes what follows ~ for its number, up to the end of the word', async () => {
  const found = async (query: string): Promise<number> => {
    const { body } = await search({ query: { simple_query_string: { query, fields: ['t'] } } });
    return (body['hits'] as { total: { value: number } }).total.value;
  };
  // Without a number the word is looked for as it is.
  assert.deepEqual([await found('rod~1'), await found('rod~x'), await found('red~x')], [1, 0, 1]);
  assert.deepEqual(
    [await found('"fox red"~2'), await found('"fox red"~'), await found('"fox red"~x')],
    [1, 1, 0],
  );
});

test('unique leaves no gaps', async () => {
  const { body } = await ask('POST /_analyze', {
    ...{ text: 'a b a c', tokenizer: 'standard', filter: ['unique'] },
  });
  const tokens = body['tokens'] as { token: string; position: number }[];
  assert.deepEqual(
    tokens.map(({ token, position }) => `${token}${position}`),
    ['a0', 'b1', 'c2'],
  );
});

test('a bulk update that makes nothing of its upsert says so', async () => {
  const body = { script: { source: "ctx.op = 'none'" }, upsert: { a: 1 }, scripted_upsert: true };
  const reply = await ask('POST /d/_bulk', `{"update":{"_id":"none"}}\n${JSON.stringify(body)}\n`);
  const [item] = reply.body['items'] as { update: { get: unknown } }[];
  assert.deepEqual(item?.update.get, { found: false });
});

test('queries find completions by their whole inputs, each as one word', async () => {
  await ask('PUT /inputs', { mappings: { properties: { done: { type: 'completion' } } } });
  await ask('PUT /inputs/_doc/1', { done: ['red', 'fast fox', 'Red'] });
  await ask('PUT /inputs/_doc/2', { done: { input: ['fox', 'red'], weight: 3 } });
  await ask('PUT /inputs/_doc/3?refresh=true', { done: 'fox 42' });
  const found = async (query: object): Promise<unknown> => {
    const { status, body } = await ask('POST /inputs/_search', { query });
    if (status !== 200) return (body['error'] as { root_cause: { reason: string }[] }).root_cause[0]!.reason;
    const { hits } = body['hits'] as { hits: { _id: string; _score: number }[] };
    return hits.map(({ _id, _score }) => [_id, Math.fround(_score)]);
  };
  const red = [
    ['1', Math.fround(0.25753623)],
    ['2', Math.fround(0.21363801)],
  ];
  assert.deepEqual(await found({ term: { done: 'red' } }), red);
  assert.deepEqual(await found({ term: { done: 'Red' } }), []);
  assert.deepEqual(await found({ match: { done: 'Red' } }), red);
  assert.deepEqual(await found({ query_string: { query: '"red"' } }), red);
  assert.deepEqual(await found({ match: { done: 'Fast Fox' } }), [['1', Math.fround(0.37012422)]]);
  assert.deepEqual(await found({ term: { done: { value: 'RED', case_insensitive: true } } }), [
    ['1', 1],
    ['2', 1],
  ]);
  assert.deepEqual(await found({ terms: { done: ['red', 'fox'] } }), [
    ['1', 1],
    ['2', 1],
    ['3', 1],
  ]);
  const refused = (kind: string): string =>
    `Can only use ${kind} queries on keyword and text fields - not on [done] which is of type [completion]`;
  assert.equal(await found({ match_bool_prefix: { done: 're' } }), refused('prefix'));
  assert.match(String(await found({ range: { done: { gte: 'a' } } })), /does not support range queries/);
});

test('completions are words in sub-fields and copies, and each input counts once', async () => {
  const contexts = [{ name: 'g', type: 'category' }];
  await ask('PUT /copies', {
    mappings: {
      properties: {
        t: { type: 'text', copy_to: 'cc' },
        cc: { type: 'completion' },
        done: { type: 'completion', fields: { t: { type: 'text' } } },
        ctx: { type: 'completion', contexts, fields: { s: { type: 'completion' } } },
      },
    },
  });
  await ask('PUT /copies/_doc/1', { t: 'blue sky', done: ['dup', 'dup'] });
  const inputs = [{ input: 'same', weight: 3 }, { input: 'same', weight: 9 }, 'same'];
  await ask('PUT /copies/_doc/2', { done: inputs, ctx: { input: 'red', contexts: { g: 'a' } } });
  await ask('PUT /copies/_doc/3?refresh=true', { done: 'red' });
  const ids = async (query: object): Promise<unknown> => {
    const { status, body } = await ask('POST /copies/_search', { query });
    assert.equal(status, 200, JSON.stringify(query));
    return (body['hits'] as { hits: { _id: string }[] }).hits.map(({ _id }) => _id);
  };
  assert.deepEqual(await ids({ match: { cc: 'blue sky' } }), ['1']);
  assert.deepEqual(await ids({ match: { 'ctx.s': 'red' } }), ['2']);
  assert.deepEqual(await ids({ match: { ctx: 'red' } }), []);
  assert.deepEqual(await ids({ match: { done: { query: '', zero_terms_query: 'all' } } }), ['1', '2', '3']);
  for (const kind of ['match', 'match_bool_prefix', 'match_phrase_prefix'])
    assert.deepEqual(await ids({ [kind]: { done: '' } }), [], kind);
  const explained = await ask('POST /copies/_explain/3', { query: { term: { done: 'red' } } });
  assert.match(JSON.stringify(explained.body), /weight\(done:red in/);
  const suggest = { s: { prefix: 'same', completion: { field: 'done' } } };
  const { body } = await ask('POST /copies/_search', { suggest });
  const [{ options }] = (body['suggest'] as { s: [{ options: { _score: number }[] }] }).s;
  assert.deepEqual(
    options.map(({ _score }) => _score),
    [1],
  );
});

test('an empty text is no boolean in a query', async () => {
  const { status, body } = await search({ query: { term: { flag: '' } } });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /Can't parse boolean value \[\], expected \[true\] or \[false\]/);
  const query = { query_string: { query: '""', fields: ['flag', 't'], lenient: true } };
  const lenient = await search({ query });
  assert.equal((lenient.body['hits'] as { total: { value: number } }).total.value, 0);
});

test('points on the left or lower edge of a box are rounded out of it', async () => {
  await ask('PUT /edges', { mappings: { properties: { place: { type: 'geo_point' } } } });
  await ask('PUT /edges/_doc/1?refresh=true', { place: [-30, 13.1] });
  const found = async (top: number, left: number, bottom: number, right: number): Promise<number> => {
    const query = { geo_bounding_box: { place: { top, left, bottom, right } } };
    const { body } = await ask('POST /edges/_search', { query });
    return (body['hits'] as { total: { value: number } }).total.value;
  };
  assert.equal(await found(50, -30, -50, 30), 0);
  assert.equal(await found(50, -31, 13.1, 30), 0);
  assert.equal(await found(13.1, -31, -50, 30), 1);
  assert.equal(await found(50, -31, -50, -30), 1);
});

test('a fuzzy completion is worth the characters before the one that may differ', async () => {
  await ask('PUT /fuzzy', { mappings: { properties: { done: { type: 'completion' } } } });
  await ask('PUT /fuzzy/_doc/1?refresh=true', { done: ['red', 'rex'] });
  const score = async (prefix: string, fuzzy: object): Promise<unknown> => {
    const suggest = { s: { prefix, completion: { field: 'done', fuzzy } } };
    const { body } = await ask('POST /fuzzy/_search', { suggest });
    const [{ options }] = (body['suggest'] as { s: [{ options: { _score: number }[] }] }).s;
    return options.map(({ _score }) => _score);
  };
  assert.deepEqual(await score('red', {}), [2]);
  assert.deepEqual(await score('re', { min_length: 2 }), [1]);
  // Too short to be fuzzy.
  assert.deepEqual(await score('re', {}), [2]);
});

test('auto_date_histogram counts months as 30 days between the first and the last of them', async () => {
  await ask('PUT /auto', { mappings: { properties: { at: { type: 'date' } } } });
  await ask('PUT /auto/_doc/1', { at: '2024-12-08T01:05:38Z' });
  await ask('PUT /auto/_doc/2?refresh=true', { at: '2019-01-23T06:31:06Z' });
  const interval = async (buckets: number): Promise<unknown> => {
    const aggs = { a: { auto_date_histogram: { field: 'at', buckets } } };
    const { body } = await ask('POST /auto/_search', { aggs });
    return (body['aggregations'] as { a: { interval: string } }).a.interval;
  };
  // From 2019-01-01 to 2024-12-01 are 2,161 days, and 24 quarters of 90 days are 2,160.
  assert.equal(await interval(24), '1y');
  assert.equal(await interval(25), '3M');
});

test('one boolean, given several times, scores as one', async () => {
  const scores = async (query: object): Promise<unknown> => {
    const { body } = await search({ query });
    return (body['hits'] as { max_score: number }).max_score;
  };
  const query = (flags: unknown[]): object => ({ bool: { should: [{ terms: { flag: flags } }] } });
  assert.deepEqual(await scores(query([true, 'true'])), await scores(query([true])));
});

test('a highlight shows words of a text of which too many would have to match', async () => {
  const { body } = await search({
    query: {
      bool: {
        should: [
          { match: { k: 'a' } },
          { match: { t: { query: 'red owl', operator: 'and', minimum_should_match: 1 } } },
        ],
      },
    },
    highlight: { fields: { t: {} } },
  });
  const { hits } = body['hits'] as { hits: { highlight?: object }[] };
  assert.deepEqual(
    hits.map(({ highlight }) => highlight),
    [{ t: ['<em>red</em> fox'] }],
  );
});

test('in a range a time zone moves times since the epoch, too', async () => {
  await ask('PUT /zoned', { mappings: { properties: { at: { type: 'date' } } } });
  await ask('PUT /zoned/_doc/1?refresh=true', { at: 1678932000000 });
  const finds = async (at: unknown, zone?: string): Promise<boolean> => {
    const range = { at: { gte: at, lte: at, ...(zone === undefined ? {} : { time_zone: zone }) } };
    const { body } = await ask('POST /zoned/_search', { query: { range } });
    return (body['hits'] as { total: { value: number } }).total.value === 1;
  };
  assert.ok(await finds(1678932000000));
  for (const at of [1678932000000, '1678932000000']) assert.ok(!(await finds(at, 'Europe/Berlin')));
  assert.ok(await finds(1678935600000, 'Europe/Berlin'));
  assert.ok(await finds('2023-03-16T02:00:00Z', 'Europe/Berlin'));
});

test('one function for all documents counts as it is, whatever the mode', async () => {
  const score = async (body: object): Promise<unknown> => {
    const found = await search({ query: { function_score: body }, track_scores: true });
    return (found.body['hits'] as { hits: unknown; max_score: number }).max_score;
  };
  for (const score_mode of ['multiply', 'sum', 'avg', 'max', 'min', 'first']) {
    assert.equal(await score({ weight: 2, score_mode }), 2, score_mode);
    assert.equal(await score({ weight: 0, score_mode }), 0, score_mode);
    const functions = [{ filter: { match_all: {} }, weight: 2 }];
    assert.equal(await score({ functions, score_mode }), 2, score_mode);
  }
});

test('range passes over members that are null, and names a field all the same', async () => {
  const found = await search({ query: { range: { u: null, n: { gte: 2 } } } });
  assert.equal((found.body['hits'] as { total: { value: number } }).total.value, 2);
  const { status, body } = await search({ query: { range: { n: null } } });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /field name is null or empty/);
});

test('_validate takes queries that name documents', async () => {
  const valid = async (query: object): Promise<unknown> => {
    const { body } = await ask('POST /d/_validate/query', { query });
    return body['valid'];
  };
  assert.equal(await valid({ more_like_this: { like: { _id: 'absent' } } }), true);
  assert.equal(await valid({ more_like_this: { like: [{ _id: '1' }], fields: ['t'] } }), true);
  assert.equal(await valid({ terms: { k: { index: 'd', id: '1', path: 'k' } } }), true);
  assert.equal(await valid({ terms: { k: { index: 'd', id: '1' } } }), false);
  // The query is checked before the index is looked for.
  const absent = await ask('POST /absent/_validate/query', { query: { bogus: {} } });
  assert.deepEqual([absent.status, absent.body['valid']], [200, false]);
  const lookup = { terms: { k: { index: 'absent', id: '1', path: 'k' } } };
  assert.equal((await ask('POST /d/_validate/query', { query: lookup })).status, 404);
});

test('mistakes are found where there is nothing to search, and in the order of the peer', async () => {
  const refused = async (body: Search, reason: RegExp): Promise<void> => {
    const reply = await ask('POST /d/_search', body);
    assert.equal(reply.status, 400, JSON.stringify(body));
    assert.match(JSON.stringify(reply.body), reason);
  };
  const rescore = { query: { rescore_query: { match_all: {} } } };
  await refused({ sort: ['n'], size: 0, rescore }, /Cannot use \[sort\] option in conjunction/);
  await refused({ query: { regexp: { absent: '(red' } } }, /expected '\)' at position 4/);
  await refused(
    { query: { match_bool_prefix: { n: { query: 4, fuzziness: 1 } } } },
    /only use fuzzy queries on/,
  );
  await refused({ highlight: { fields: null } }, /fields doesn't support values of type: VALUE_NULL/);
  const tags = { fields: { t: 1 }, pre_tags: ['<b>'] };
  await refused({ highlight: tags }, /Expected START_OBJECT but was: VALUE_NUMBER/);
  await refused({ size: true }, /not numeric, can not use numeric value accessors/);
  await refused({ size: 1e12 }, /out of range of int/);
  await refused({ aggs: { a: { sampler: {} }, b: { range: { field: 'n' } } } }, /No \[ranges\] specified/);
  const alone = await ask('POST /d/_search', { aggs: { a: { sampler: {} } } });
  assert.match(JSON.stringify(alone.body), /must be used with child aggregations/);
});

test('a stored range of dates ends where its bounds say, and a query covers the whole day', async () => {
  await ask('PUT /periods', { mappings: { properties: { p: { type: 'date_range' } } } });
  await ask('PUT /periods/_doc/1', { p: { gt: '2021-07-26', lte: '2021-11-12' } });
  await ask('PUT /periods/_doc/2?refresh=true', { p: { gte: '2021-07-20', lte: '2021-07-26' } });
  const found = async (p: string): Promise<unknown> => {
    const { body } = await ask('POST /periods/_search', { query: { term: { p } } });
    return (body['hits'] as { hits: { _id: string }[] }).hits.map(({ _id }) => _id);
  };
  assert.deepEqual(await found('2021-07-26'), ['1', '2']);
  assert.deepEqual(await found('2021-07-26T12:00:00Z'), ['1']);
  assert.deepEqual(await found('2021-11-12T00:00:00Z'), ['1']);
  assert.deepEqual(await found('2021-11-12T12:00:00Z'), []);
});

test('query strings: expressions in completions, analyzed prefixes, quotes without text, values of other types', async () => {
  await ask('PUT /words', {
    mappings: {
      properties: {
        done: { type: 'completion' },
        en: { type: 'text', analyzer: 'english' },
        start: { type: 'text', index_prefixes: { min_chars: 1, max_chars: 5 } },
        k: { type: 'keyword' },
        n: { type: 'integer' },
      },
    },
  });
  await ask('PUT /words/_doc/1', { done: 'quick fox', k: '' });
  await ask('PUT /words/_doc/2', { en: 'running dogs', n: 3 });
  await ask('PUT /words/_doc/3?refresh=true', { start: 'the' });
  const scores = async (query: Search): Promise<unknown> => {
    const { body } = await ask('POST /words/_search', { query });
    const { hits } = body['hits'] as { hits: { _id: string; _score: number }[] };
    return Object.fromEntries(hits.map(({ _id, _score }) => [_id, _score]));
  };
  const expression = (query: string): Search => ({ query_string: { query } });
  assert.deepEqual(await scores(expression('/qu.*/')), { 1: 1 });
  assert.deepEqual(await scores(expression('done:/qu.*fox/')), { 1: 1 });
  assert.deepEqual(await scores(expression('n:/qu.*/')), {});
  const prefix = (query: string, fields?: string[]): Search => ({
    simple_query_string: { query, analyze_wildcard: true, ...(fields && { fields }) },
  });
  assert.deepEqual(await scores(prefix('running*', ['en'])), { 2: 1 });
  assert.deepEqual(await scores({ query_string: { query: 'en:runs*', analyze_wildcard: true } }), { 2: 1 });
  assert.deepEqual(await scores(expression('en:running*')), {});
  // Once for the field, and once for its beginnings.
  assert.deepEqual(await scores(prefix('th*')), { 3: 2 });
  assert.deepEqual(await scores({ simple_query_string: { query: '""~2' } }), { 1: 1 });
  assert.deepEqual(await scores({ simple_query_string: { query: '""' } }), {});
  const whole = { query: 'a 3', analyzer: 'standard', lenient: true };
  assert.deepEqual(await scores({ match: { n: whole } }), { 2: 1 });
  assert.deepEqual(await scores({ match: { n: { ...whole, operator: 'and' } } }), {});
  assert.deepEqual(await scores({ prefix: { start: { value: '', case_insensitive: true } } }), {});
});

test('an explanation has the clauses of a query string in their order', async () => {
  const explained = async (query: string): Promise<unknown> => {
    const { body } = await ask('POST /d/_explain/1', { query: { query_string: { query, fields: ['t'] } } });
    const { details } = body['explanation'] as { details: { description: string }[] };
    return details.map(({ description }) => description.replace(/ in \d+\) .*/, ')'));
  };
  assert.deepEqual(await explained('red -n:1 +fox'), [
    'weight(t:red)',
    'match on prohibited clause (n:[1 TO 1])',
    'weight(t:fox)',
  ]);
  assert.deepEqual(await explained('red +fox'), ['weight(t:red)', 'weight(t:fox)']);
});

test('an explanation shows the words of all fields whose scores are summed, those of a boosted field together', async () => {
  await ask('PUT /summed', { mappings: { properties: { a: { type: 'text' }, b: { type: 'text' } } } });
  await ask('PUT /summed/_doc/1?refresh=true', { a: 'red fox', b: 'a red fox' });
  const explained = async (query: object): Promise<unknown> => {
    const { body } = await ask('POST /summed/_explain/1', { query });
    const { details } = body['explanation'] as { details: { description: string }[] };
    return details.map(({ description }) => description.replace(/ in \d+\) .*/, ')'));
  };
  const words = (...fields: string[]): object => ({
    multi_match: { query: 'red fox', fields, tie_breaker: 1 },
  });
  const all = ['weight(a:red)', 'weight(a:fox)', 'weight(b:red)', 'weight(b:fox)'];
  assert.deepEqual(await explained(words('a', 'b')), all);
  assert.deepEqual(await explained({ bool: { should: [words('a', 'b')], boost: 2 } }), all);
  assert.deepEqual(await explained(words('a^2', 'b')), ['sum of:', 'weight(b:red)', 'weight(b:fox)']);
  assert.deepEqual(await explained({ bool: { should: [words('a', 'b'), { exists: { field: 'a' } }] } }), [
    ...all,
    'ConstantScore(FieldExistsQuery [field=a])',
  ]);
});

test('a histogram is ordered by the numbers of its buckets, empty ones too', async () => {
  await ask('PUT /gaps', { mappings: { properties: { p: { type: 'double' }, n: { type: 'integer' } } } });
  await ask('PUT /gaps/_doc/1', { p: [12, 43], n: 5 });
  await ask('PUT /gaps/_doc/2?refresh=true', { p: 14, n: 3 });
  const keys = async (metric: string, direction: string): Promise<unknown> => {
    const histogram = { field: 'p', interval: 10, order: { m: direction } };
    const a = { histogram, aggs: { m: { [metric]: { field: 'n' } } } };
    const { body } = await ask('POST /gaps/_search', { size: 0, aggs: { a } });
    return (body['aggregations'] as { a: { buckets: { key: number }[] } }).a.buckets.map(({ key }) => key);
  };
  assert.deepEqual(await keys('sum', 'asc'), [20, 30, 40, 10]);
  assert.deepEqual(await keys('avg', 'asc'), [10, 40, 20, 30]);
  assert.deepEqual(await keys('avg', 'desc'), [40, 10, 20, 30]);
  assert.deepEqual(await keys('max', 'asc'), [20, 30, 10, 40]);
  assert.deepEqual(await keys('min', 'desc'), [20, 30, 40, 10]);
});

test('hits of buckets that tie are in the order of their documents', async () => {
  await ask('PUT /ties', {
    mappings: { properties: { kids: { type: 'nested' }, seq: { type: 'integer' } } },
  });
  await ask('PUT /ties/_doc/z', { kids: { n: 1 } });
  await ask('PUT /ties/_doc/a?refresh=true', { kids: [{ n: 2 }, { n: 3 }] });
  const hits = { top_hits: { sort: { seq: 'desc' }, _source: false } };
  const a = { nested: { path: 'kids' }, aggs: { hits } };
  const { body } = await ask('POST /ties/_search', { size: 0, aggs: { a } });
  const found = (body['aggregations'] as { a: { hits: { hits: { hits: { _id: string }[] } } } }).a.hits.hits;
  assert.deepEqual(
    found.hits.map(({ _id }) => _id),
    ['z', 'a', 'a'],
  );
});

test('below fields and objects that are unmapped there are no buckets, but below terms without documents', async () => {
  const below = async (outer: Search, query: Search = { match_all: {} }): Promise<unknown> => {
    const a = { ...outer, aggs: { b: { ip_range: { field: 'k', ranges: [{}] } } } };
    const body = { size: 0, query, aggs: { a } };
    const reply = await ask('POST /addresses/_search', body);
    type Below = { b: { buckets: unknown } };
    const found = (reply.body['aggregations'] as { a: Below & { buckets?: Below[] } }).a;
    return (found.buckets?.[0] ?? found).b.buckets;
  };
  await ask('PUT /addresses', { mappings: { properties: { k: { type: 'ip' }, t: { type: 'keyword' } } } });
  await ask('PUT /addresses/_doc/1?refresh=true', { k: '1.2.3.4', t: 'x' });
  const empty = [{ key: '*-*', doc_count: 0 }];
  assert.deepEqual(await below({ range: { field: 'absent', ranges: [{ to: 1 }] } }), []);
  assert.deepEqual(await below({ range: { field: 'absent', missing: 3, ranges: [{ to: 1 }] } }), empty);
  const distance = { field: 'absent', origin: '1,2', ranges: [{}] };
  assert.deepEqual(await below({ geo_distance: distance }), []);
  assert.deepEqual(await below({ nested: { path: 'absent' } }), []);
  const none = { term: { t: 'y' } };
  assert.deepEqual(await below({ terms: { field: 't', min_doc_count: 0 } }, none), empty);
  const s = { significant_terms: { field: 't' } };
  const { body } = await ask('POST /addresses/_search', {
    ...{ size: 0, aggs: { a: { nested: { path: 'absent' }, aggs: { s } } } },
  });
  assert.deepEqual((body['aggregations'] as { a: { s: unknown } }).a.s, {
    ...{ doc_count: 0, bg_count: 1, buckets: [] },
  });
});

test('simple_query_string loses the minimum of a single field with a boost', async () => {
  const found = async (field: string): Promise<unknown> => {
    const text = { query: 'red zoo', flags: 'PHRASE', minimum_should_match: '100%', fields: [field] };
    return (await search({ query: { simple_query_string: text } })).body['hits'];
  };
  assert.match(JSON.stringify(await found('t')), /"value":0/);
  assert.match(JSON.stringify(await found('t^0.5')), /"value":1/);
});

test('terms that a keyword lacks, and its wildcards, are highlighted in other fields', async () => {
  const shown = async (query: Search): Promise<unknown> => {
    const fields = { t: { require_field_match: false } };
    const { body } = await search({ highlight: { fields, highlight_query: query } });
    const { hits } = body['hits'] as { hits: { highlight?: { t: string[] } }[] };
    return hits.map(({ highlight }) => highlight?.t[0]);
  };
  assert.deepEqual(await shown({ term: { k: 'red' } }), ['<em>red</em> fox', undefined, undefined]);
  const all = ['<em>red</em> <em>fox</em>', '<em>a</em> <em>b</em>', undefined];
  assert.deepEqual(await shown({ wildcard: { k: '*' } }), all);
});

test('the boost of a boosting query counts behind the minimum score of its positive query', async () => {
  const scored = async (boost: number): Promise<unknown> => {
    const positive = { function_score: { query: { term: { n: 1 } }, weight: 2, min_score: 1.5 } };
    const boosting = { positive, negative: { term: { k: 'a' } }, negative_boost: 0.5, boost };
    const { body } = await ask('POST /d/_search', { query: { boosting }, _source: false });
    const { hits } = body['hits'] as { hits: { _id: string; _score: number }[] };
    return hits.map(({ _id, _score }) => [_id, _score]);
  };
  assert.deepEqual(await scored(0.5), [
    ['3', 1],
    ['1', 0.5],
  ]);
  assert.deepEqual(await scored(3), [
    ['3', 6],
    ['1', 3],
  ]);
});

test('a phrase of which the last word is a beginning needs positions, even if nothing begins so', async () => {
  await ask('PUT /flat', { mappings: { properties: { t: { type: 'text', index_options: 'freqs' } } } });
  await ask('PUT /flat/_doc/1?refresh=true', { t: 'red' });
  const reply = await ask('POST /flat/_search', { query: { match_phrase_prefix: { t: 'red zoo' } } });
  assert.match(String(reasonOf(reply)[2]), /was indexed without position data/);
});

test('the plain excerpt without a match ends before a synonym of several words that lies over its end', async () => {
  await ask('PUT /synonyms', {
    settings: {
      analysis: {
        filter: { alike: { type: 'synonym_graph', synonyms: ['big apple, new york'] } },
        analyzer: { alike: { tokenizer: 'standard', filter: ['alike'] } },
      },
    },
    mappings: { properties: { t: { type: 'text', analyzer: 'alike' } } },
  });
  await ask('PUT /synonyms/_doc/1?refresh=true', { t: 'big apple big apple' });
  const shown = async (size: number): Promise<unknown> => {
    const highlight = { type: 'plain', fields: { t: { no_match_size: size } } };
    const { body } = await ask('POST /synonyms/_search', { highlight });
    return (body['hits'] as { hits: { highlight: { t: string[] } }[] }).hits[0]!.highlight.t[0];
  };
  assert.deepEqual([await shown(15), await shown(19)], ['big apple', 'big apple big apple']);
});

test('a prefix that is analyzed finds nothing in numbers, and is no error', async () => {
  const query = (fields: string[]): object => ({
    simple_query_string: { query: 're*', fields, analyze_wildcard: true },
  });
  const totalOf = async (fields: string[]): Promise<unknown> =>
    ((await search({ query: query(fields) })).body['hits'] as { total: { value: number } }).total.value;
  assert.equal(await totalOf(['t', 'n']), await totalOf(['t']));
  assert.equal(await totalOf(['n']), 0);
});
