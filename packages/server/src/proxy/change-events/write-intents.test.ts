// Every document of a write request has an id before it is sent, and the request is otherwise unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assignBulkIds } from './write-intents.ts';

const text = (body: Uint8Array): string => Buffer.from(body).toString('utf8');
const named = (body: string, path?: string): { body: string; documents: string[] } => {
  const { write, documents } = assignBulkIds(Buffer.from(body), path, undefined);
  return {
    body: text(write),
    documents: documents.map(({ kind, index, id, routing }) =>
      [kind, index, id, ...(routing === undefined ? [] : [routing])].join(' '),
    ),
  };
};

test('what has ids goes on byte by byte', () => {
  const body =
    '{"index":{"_index":"a","_id":"1"}}\n{ "n" : 1 }\n\n {"delete":{"_id":2}}\r\n' +
    '{"update":{"_id":"3","routing":"r","_index":"c"}}\n{"doc":{}}\n' +
    '{"index":{"_id":"4","op_type":"create"}}\n{}\n';
  assert.deepEqual(named(body, 'b'), {
    body,
    documents: ['index a 1', 'delete b 2', 'update c 3 r', 'create b 4'],
  });
  const big = '{"delete":{"_index":"a","_id":12345678901234567890}}\n';
  assert.deepEqual(named(big).documents, ['delete a 12345678901234567890']);
});

test('what has none gets one, each another one, and is otherwise the same', () => {
  const body = '{"index":{"routing":"r"}}\n{"n":1}\n{"create":{"_id":null,"_index":"c"}}\n{"n":2}\n';
  const { body: sent, documents } = named(body, 'b');
  const [first, source, second, last, end] = sent.split('\n');
  const ids = [JSON.parse(first!).index, JSON.parse(second!).create];
  assert.deepEqual([source, last, end], ['{"n":1}', '{"n":2}', '']);
  assert.notEqual(ids[0]._id, ids[1]._id);
  assert.deepEqual(ids, [
    { routing: 'r', _id: ids[0]._id },
    { _id: ids[1]._id, _index: 'c' },
  ]);
  assert.deepEqual(documents, [`index b ${ids[0]._id} r`, `create c ${ids[1]._id}`]);
});

test('a line without an id is otherwise as it came, whatever it says', () => {
  for (const [line, expected] of [
    [
      '{"index":{"_index":"i","routing":"@any-id@"}}',
      '{"index":{"_id":"ID","_index":"i","routing":"@any-id@"}}',
    ],
    [
      ' { "create" : { "_index":"i","_index":"j" } }',
      ' { "create" : {"_id":"ID", "_index":"i","_index":"j" } }',
    ],
    ['{"index":{ "n":1.0, "_id" : null }}', '{"index":{ "n":1.0, "_id" : "ID" }}'],
    ['{"index":{ }}\r', '{"index":{"_id":"ID" }}\r'],
    ['{"index":{"é":"\\"}"}}', '{"index":{"_id":"ID","é":"\\"}"}}'],
  ] as const) {
    const { body, documents } = named(`${line}\n{}\n`, 'b');
    assert.equal(
      body.replace(/"_id" ?: ?"[\w-]{20}"/, (id) => id.replace(/[\w-]{20}/, 'ID')),
      `${expected}\n{}\n`,
    );
    assert.equal(documents.length, 1);
  }
});

test('what stands behind an action is nothing to the cluster: it is read no further, here as there', () => {
  const head = (more: string): string =>
    `{"index":{"_index":"a","_id":"}"}${more}\n{}\n{"delete":{"_id":"2"}}\n`;
  for (const more of ['} and more', '', ',"x":', '}}', '} {"delete":{}}']) {
    const { body, documents } = named(head(more), 'b');
    assert.equal(body, head(more));
    assert.deepEqual(documents, ['index a }', 'delete b 2'], more);
  }
  const { body, documents } = named('{"create":{"_index":"a"} } and more\n{}\n');
  const id = documents[0]!.slice('create a '.length);
  assert.equal(body, `{"create":{"_id":"${id}","_index":"a"} } and more\n{}\n`);
});

test('what the cluster refuses it refuses in its own words', () => {
  for (const body of [
    '{"index":{}}\n{"n":1}',
    '{"index":null}\n{"n":1}\n',
    '{"index":{"version":3}}\n{"n":1}\n',
    '{"index":{"if_seq_no":3,"if_primary_term":1}}\n{"n":1}\n',
    '{"index":{"_id":""}}\n{"n":1}\n',
    '{"drop":{"_id":"1"}}\n',
    '{"index":{}}\n',
    '{"index":\n{"n":1}\n',
    '[]\n',
    '\n\n',
    '',
  ])
    assert.equal(named(body, 'b').body, body);
});

test('any bytes are taken, and those that are no bulk body go on as they came', () => {
  const pieces = fc.constantFrom(
    '{"index":{}}',
    '{"index":{"_id":"1"}}',
    '{"delete":{"_id":"x"}}',
    '{}',
    '[',
    '',
    'x',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.boolean(), (lines, isWhole) => {
      const body = lines.join('\n') + (isWhole ? '\n' : '');
      const { body: sent, documents } = named(body, 'b');
      const count = (some: string): number => some.split('\n').filter((line) => line.trim() !== '').length;
      assert.equal(count(sent), count(body));
      assert.ok(documents.length <= lines.length);
      // An empty last piece ends a body as well.
      if (!body.endsWith('\n')) assert.equal(sent, body);
    }),
  );
});
