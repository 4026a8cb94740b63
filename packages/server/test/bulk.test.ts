// Bulk bodies: items with fates of their own, and lines that refuse the whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

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

test('defaults of the path and of the parameters', async () => {
  await ask('PUT /d/_bulk?routing=r', lines({ index: { _id: '1' } }, '{"a":1}\r'));
  assert.deepEqual((await ask('GET /d/_doc/1')).body._routing, 'r');
  assert.equal((await ask('GET /d/_source/1')).text, '{"a":1}');
  await ask('POST /d/book/_bulk', lines({ index: { _id: '2' } }, { a: 1 }));
  assert.equal((await ask('GET /d/_doc/2')).body._type, 'book');
});

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

test('what refuses the whole request, and writes nothing', async () => {
  for (const [body, reason] of REFUSED) {
    const reply = await ask('POST /_bulk', body);
    assert.equal(reply.status, 400, body);
    if (typeof reason === 'string') assert.equal(reply.body.error.reason, reason);
    else assert.match(reply.body.error.reason, reason);
  }
  assert.equal((await ask('GET /r/_doc/1')).status, 404);
  assert.equal((await ask('POST /_bulk')).body.error.reason, 'request body is required');
});
