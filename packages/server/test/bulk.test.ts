// Bulk bodies: items that succeed or fail by themselves, and lines that refuse the whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();

const lines = (...each: unknown[]): string =>
  each.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

test('items', async () => {
  const reply = await ask(
    'POST /_bulk?refresh',
    lines(
      { index: { _index: 'b', _id: '1' } },
      { a: 1 },
      { create: { _index: 'b', _id: 1 } },
      { a: 1 },
      { update: { _index: 'b', _id: '1', _source: true } },
      { doc: { a: 2 } },
      { delete: { _index: 'b', _id: 'none' } },
      { index: { _index: 'b', _id: '' } },
      { a: 1 },
      { index: { _index: 'b', _id: '2' } },
      'foo',
      { update: { _index: 'b', _id: '7' } },
      { doc: {} },
    ),
  );
  assert.equal(reply.status, 200);
  assert.equal(reply.body.errors, true);
  const fates = reply.body.items.map((item: Record<string, { status: number; error?: { type: string } }>) => {
    const [[kind, fate]] = Object.entries(item) as [[string, { status: number; error?: { type: string } }]];
    return `${kind} ${fate.status} ${fate.error?.type ?? ''}`;
  });
  assert.deepEqual(fates, [
    'index 201 ',
    'create 409 version_conflict_engine_exception',
    'update 200 ',
    'delete 404 ',
    'index 400 illegal_argument_exception',
    'index 400 mapper_parsing_exception',
    'update 404 document_missing_exception',
  ]);
  assert.deepEqual(reply.body.items[2].update.get._source, { a: 2 });
});

test('defaults of the path and of the parameters', onlyEmbedded('no types'), async () => {
  await ask('PUT /d/_bulk?routing=r', lines({ index: { _id: '1' } }, '{"a":1}\r'));
  assert.deepEqual((await ask('GET /d/_doc/1')).body._routing, 'r');
  assert.equal((await ask('GET /d/_source/1')).text, '{"a":1}');
  await ask('POST /d/book/_bulk', lines({ index: { _id: '2' } }, { a: 1 }));
  assert.equal((await ask('GET /d/_doc/2')).body._type, 'book');
});

test(
  'a long body, which a thread reads ahead, says what short ones say',
  onlyEmbedded('no thread that reads ahead'),
  async () => {
    const mappings = {
      properties: { n: { type: 'integer' }, text: { type: 'text' }, word: { type: 'keyword' } },
    };
    const pairs = Array.from({ length: 1_200 }, (_, n): string => {
      const _id = n % 13 === 5 ? `größe ${n}` : String(n);
      if (n % 17 === 3)
        return lines({ update: { _id: String(n - 3), _source: true } }, { doc: { word: `ä"\\${n}` } });
      if (n % 19 === 4) return lines({ delete: { _id: String(n - 2) } });
      if (n % 23 === 5) return lines({ index: { _id } }, { n: `no "number" ä ${n}` });
      if (n % 29 === 6) return lines({ index: { _id } }, `{"n":${n},"text":"cut`);
      if (n % 31 === 7) return lines({ create: { _id: '0' } }, { n });
      if (n % 37 === 8)
        return lines(
          { index: { _id } },
          `{"n":${n},"text":"a\\u00e4\\n😀 tab\\t","made${n % 3}":[${n},null]}`,
        );
      return lines(
        { index: { _id } },
        { n, text: `Wörter and words ${'of a text '.repeat(9)}`, word: `w${n % 9}` },
      );
    });
    const told: unknown[][] = [];
    for (const [index, size] of [
      ['long', 1_200],
      ['short', 60],
    ] as const) {
      await ask(`PUT /${index}`, { mappings });
      const items: unknown[] = [];
      for (let at = 0; at < pairs.length; at += size) {
        const reply = await ask(`POST /${index}/_bulk`, pairs.slice(at, at + size).join(''));
        items.push(...reply.body.items);
      }
      const { body } = await ask(`POST /${index}/_search`, { size: 2_000, sort: ['_doc'] });
      told.push([items, body.hits.hits, (await ask(`GET /${index}/_mapping`)).body[index]]);
    }
    const plain = (of: unknown): string =>
      JSON.stringify(of)
        .replaceAll(/"index_uuid":"[^"]*"/g, '')
        .replaceAll(/"(?:long|short)"/g, '"i"');
    assert.equal(plain(told[0]), plain(told[1]));
  },
);

const REFUSED: [body: string, reason: string | RegExp][] = [
  ['{"index":{}}', 'The bulk request must be terminated by a newline [\\n]'],
  [
    lines({ foo: {} }, {}),
    'Malformed action/metadata line [1], expected one of [create, delete, index, update] but found [foo]',
  ],
  [
    lines({ index: 3 }, {}),
    'Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_NUMBER]',
  ],
  [lines('3', {}), 'Malformed action/metadata line [1], expected START_OBJECT but found [VALUE_NUMBER]'],
  [lines('[]', {}), 'Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]'],
  [lines('{}', {}), 'Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]'],
  [
    lines({ index: { _index: 'r', _id: [] } }, {}),
    'Malformed action/metadata line [1], expected a simple value for field [_id] but found [START_ARRAY]',
  ],
  [
    lines({ index: { _index: 'r', foo: 1 } }, {}),
    'Action/metadata line [1] contains an unknown parameter [foo]',
  ],
  [lines({ index: { _index: 'r' } }, {}, { index: null }, {}), /^Malformed action\/metadata line \[3\]/],
  [lines({ index: {} }, {}), 'Validation Failed: 1: index is missing;'],
  [lines({ delete: { _index: 'r' } }), 'Validation Failed: 1: id is missing;'],
  ['\n\n', 'Validation Failed: 1: no requests added;'],
  [
    lines({ index: { _index: 'r' } }),
    'Malformed action/metadata line [1], expected the line of its source behind it',
  ],
  [lines({ update: { _index: 'r', _id: '1' } }, {}), 'Validation Failed: 1: script or doc is missing;'],
  [lines('{"index":{"_index":"r"}'), /./],
];

test('what refuses the whole request, and writes nothing', onlyEmbedded('other words'), async () => {
  for (const [body, reason] of REFUSED) {
    const reply = await ask('POST /_bulk', body);
    assert.equal(reply.status, 400, body);
    if (typeof reason === 'string') assert.equal(reply.body.error.reason, reason);
    else assert.match(reply.body.error.reason, reason);
  }
  assert.equal((await ask('GET /r/_doc/1')).status, 404);
  assert.equal((await ask('POST /_bulk')).body.error.reason, 'request body is required');
});

test(
  'lines that differ only in their id, and lines that seem to',
  onlyEmbedded('other words, and no types'),
  async () => {
    const actions = [
      '{"index":{"_index":"s","_id":"1"}}',
      '{"index":{"_index":"s","_id":"22"}}',
      '{"index":{"_index":"s","_id":"a\\"b"}}',
      '{"index":{"_index":"s","_id":"caf\u00e9"}}',
      '{"index":{"_index":"s","_id":"3"}}\r',
      '{"index":{"_index":"s","_id":"4"}}\r',
      '{"index":{"_index":"s","_id":"5","routing":"r1"}}',
      '{"index":{"_index":"s","_id":"6","routing":"r1"}}',
      '{"index":{"_index":"s","_id":"7","routing":"r2"}}',
      '{"index":{"_index":"t","_id":"8"}}',
      '{"index":{"_index":"t","_id":"9","_id2":1}}',
      '{"index":{"_id":"10","_index":"t"}}',
      '{"index":{"_id":"11","_index":"t"}}',
      '{"index":{"_id":12,"_index":"t"}}',
      '{"index":{"_id":13,"_index":"t"}}',
      '{"create":{"_id":"14","_index":"t"}}',
      '{"create":{"_id":"15","_index":"t","_type":"x"}}',
      '{"create":{"_id":"16","_index":"t","_type":"x"}}',
    ];
    const body = (list: readonly string[]): string => list.map((line) => `${line}\n{"a":1}\n`).join('');
    const refused = await ask('POST /_bulk', body(actions));
    assert.match(refused.body.error.reason, /line \[21\] contains an unknown parameter \[_id2\]/);
    const reply = await ask('POST /_bulk', body(actions.filter((line) => !line.includes('_id2'))));
    const told = reply.body.items.map((item: Record<string, Record<string, unknown>>) => {
      const [kind, fate] = Object.entries(item)[0]!;
      return `${kind} ${fate['_index']} ${fate['_type'] ?? '-'} ${fate['_id']} ${fate['_seq_no']} ${fate['status']}`;
    });
    assert.deepEqual(told, [
      'index s - 1 0 201',
      'index s - 22 1 201',
      'index s - a"b 2 201',
      'index s - caf\u00e9 3 201',
      'index s - 3 4 201',
      'index s - 4 5 201',
      'index s - 5 6 201',
      'index s - 6 7 201',
      'index s - 7 8 201',
      'index t - 8 0 201',
      'index t - 10 1 201',
      'index t - 11 2 201',
      'index t - 12 3 201',
      'index t - 13 4 201',
      'create t - 14 5 201',
      'create t x 15 6 201',
      'create t x 16 7 201',
    ]);
    assert.deepEqual(reply.body.items[0].index, {
      _index: 's',
      _id: '1',
      _version: 1,
      result: 'created',
      _shards: { total: 1, successful: 1, failed: 0 },
      _seq_no: 0,
      _primary_term: 1,
      status: 201,
    });
    const routings = await Promise.all(['4', '6', '7'].map((id) => ask(`GET /s/_doc/${id}?routing=r1`)));
    assert.deepEqual(
      routings.map((each) => each.body._routing),
      [undefined, 'r1', 'r2'],
    );
  },
);

test('members behind an action are notes of the client', async () => {
  await ask('DELETE /notes');
  const reply = await ask(
    'POST /notes/_bulk',
    lines(
      '{"index":{"_id":"1"},"attempts":0,"1":2}',
      { n: 1 },
      { index: { _id: '2' }, a: [1, { b: [] }], c: { d: null }, e: 'x' },
      { n: 2 },
      { delete: { _id: '1' }, attempts: 1 },
    ),
  );
  assert.deepEqual(
    reply.body.items.map((item: object) => Object.values(item)[0].status),
    [201, 201, 200],
  );
});

test('a second action in a line would be lost', onlyEmbedded('it loses it'), async () => {
  const refused: [string, string][] = [
    [
      '{"attempts":0,"index":{"_id":"3"}}',
      'expected one of [create, delete, index, update] but found [attempts]',
    ],
    ['{"index":{"_id":"3"},"delete":{"_id":"2"}}', 'expected one action but found [delete] behind it'],
  ];
  for (const [line, why] of refused) {
    const { status, body } = await ask('POST /notes/_bulk', lines(line, {}));
    assert.equal(status, 400);
    assert.equal(body.error.reason, `Malformed action/metadata line [1], ${why}`);
  }
  assert.equal((await ask('POST /notes/_bulk', lines('{"index":{"_id":"3"},"a":}', {}))).status, 400);
});

test('deletes pass over require_alias', async () => {
  await ask('PUT /plain/_doc/1', {});
  await ask('PUT /plain/_doc/2', {});
  const inLine = { delete: { _index: 'plain', _id: '1', require_alias: true } };
  assert.equal((await ask('POST /_bulk', lines(inLine))).body.items[0].delete.status, 200);
  const all = lines({ delete: { _index: 'plain', _id: '2' } }, { index: { _index: 'plain', _id: '3' } }, {});
  const { items } = (await ask('POST /_bulk?require_alias=true', all)).body;
  assert.equal(items[0].delete.result, 'deleted');
  assert.equal(items[1].index.error.type, 'index_not_found_exception');
  const odd = lines({ delete: { _index: 'plain', _id: '4', require_alias: 'x' } });
  assert.equal((await ask('POST /_bulk', odd)).status, 400);
});

test('which _source of an update wins', async () => {
  const source = { n: 1, m: 2 };
  await ask('PUT /w/_doc/1', source);
  const update = async (path: string, body: object): Promise<unknown> =>
    (await ask(`POST /w/_update/1${path}`, { doc: {}, ...body })).body.get?._source;
  assert.deepEqual(await update('?_source=false', { _source: true }), source);
  assert.equal(await update('?_source=true', { _source: false }), undefined);
  assert.deepEqual(await update('?_source=n', {}), { n: 1 });
  const bulk = async (path: string, meta: object, body: object): Promise<unknown> => {
    const reply = await ask(
      `POST /w/_bulk${path}`,
      lines({ update: { _id: '1', ...meta } }, { doc: {}, ...body }),
    );
    return reply.body.items[0].update.get?._source;
  };
  assert.deepEqual(await bulk('?_source=n', {}, { _source: true }), { n: 1 });
  assert.deepEqual(await bulk('', { _source: true }, { _source: false }), source);
  assert.equal(await bulk('', { _source: false }, { _source: true }), undefined);
});
