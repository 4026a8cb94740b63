// An import reads the contents of a file byte for byte. It refuses unreadable input and names the line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  guessFormat,
  type ImportFormat,
  type IncomingDocument,
  type ReadOptions,
  readDocuments,
} from './read-documents.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  text: string,
  options: Partial<ReadOptions> & { format: ImportFormat },
  size = 7,
): Promise<IncomingDocument[]> {
  const all: IncomingDocument[] = [];
  const full = { index: 'i', idField: undefined, ...options };
  for await (const batch of readDocuments(inPieces(text, size), full)) all.push(...batch);
  return all;
}

function sources(docs: IncomingDocument[]): (string | undefined)[] {
  return docs.map((doc) => (doc.source === undefined ? undefined : Buffer.from(doc.source).toString()));
}

test('ndjson: bytes as they are, blank lines counted, a last line without its end', async () => {
  const text = '{"a": 1.0}\r\n\n {"b":"ä"}\n{"c":9007199254740993}';
  for (const size of [1, 3, 1000]) {
    const docs = await read(text, { format: 'ndjson' }, size);
    assert.deepEqual(sources(docs), ['{"a": 1.0}', ' {"b":"ä"}', '{"c":9007199254740993}']);
    assert.deepEqual(
      docs.map((doc) => doc.line),
      [1, 3, 4],
    );
  }
});

test('ids from a field: numbers keep their digits, paths go into objects', async () => {
  const text = '{"k":{"id":9007199254740993}}\n{"k":{"id":"x"}}\n{"k.id":"dotted"}\n';
  const docs = await read(text, { format: 'ndjson', idField: 'k.id' });
  assert.deepEqual(
    docs.map((doc) => doc.id),
    ['9007199254740993', 'x', 'dotted'],
  );
  await assert.rejects(
    read('{"a":1}\n{"b":1}\n', { format: 'ndjson', idField: 'a' }),
    /Line 2 has no text or number in the field a/,
  );
});

test('a pretty-printed file and an array are refused with the cure', async () => {
  await assert.rejects(read('{\n "a": 1\n}\n', { format: 'ndjson' }), /span several lines.*jq -c \. FILE/);
  await assert.rejects(read('[{"a":1}]', { format: 'ndjson' }), /JSON array.*jq -c '\.\[\]'/);
});

test('bulk: actions with their documents, deletes without', async () => {
  const text = [
    '{"index":{"_index":"x","_id":"1","routing":"r"}}',
    '{"a":1}',
    '{"delete":{"_id":2}}',
    '{"create":{}}',
    '{"b":2}',
    '{"update":{"_id":"3"}}',
    '{"doc":{}}',
  ].join('\n');
  const docs = await read(text, { format: 'bulk' });
  assert.deepEqual(
    docs.map((doc) => [doc.line, doc.action, doc.index, doc.id, doc.routing]),
    [
      [2, 'index', 'i', '1', 'r'],
      [3, 'delete', 'i', '2', undefined],
      [5, 'create', 'i', undefined, undefined],
      [7, 'update', 'i', '3', undefined],
    ],
  );
  assert.deepEqual(sources(docs), ['{"a":1}', undefined, '{"b":2}', '{"doc":{}}']);
  const own = await read(text.split('\n').slice(0, 2).join('\n'), { format: 'bulk', index: undefined });
  assert.equal(own[0]?.index, 'x');
  await assert.rejects(read(text, { format: 'bulk', index: undefined }), /Line 3 names no _index/);
  await assert.rejects(read('{"index":{}}\n', { format: 'bulk' }), /ends after the action on line 1/);
  await assert.rejects(read('{"a":1}\n{}\n', { format: 'bulk' }), /Line 1 is not an action/);
});

test('csv: header, ids, types by column', async () => {
  const docs = await read('isbn,title,year\n01,"A, b",1999\n02,C,\n', {
    format: 'csv',
    idField: 'isbn',
  });
  assert.deepEqual(sources(docs), ['{"isbn":"01","title":"A, b","year":1999}', '{"isbn":"02","title":"C"}']);
  assert.deepEqual(
    docs.map((doc) => doc.id),
    ['01', '02'],
  );
  await assert.rejects(
    read('a,b\n1,2,3\n', { format: 'csv' }),
    /Line 2 has 3 fields, but the header names 2/,
  );
  await assert.rejects(read('a,a\n', { format: 'csv' }), /names the column a twice/);
  assert.deepEqual(await read('a,b\n', { format: 'csv' }), []);
  assert.deepEqual(await read('', { format: 'csv' }), []);
});

test('the format is guessed by name, else by content', () => {
  const guess = (name: string, text: string): ImportFormat => guessFormat(name, Buffer.from(text));
  assert.equal(guess('x.csv', '{'), 'csv');
  assert.equal(guess('x.tsv.gz', ''), 'tsv');
  assert.equal(guess('x.ndjson', '{"index":{"_id":"1"}}\n{}\n'), 'bulk');
  assert.equal(guess('', '{"index":{"a":1},"b":2}\n'), 'ndjson');
  assert.equal(guess('', '{"a":1}\n'), 'ndjson');
  assert.equal(guess('', 'a,b\n1,2\n'), 'csv');
  assert.equal(guess('', 'a\tb\n1\t2\n'), 'tsv');
});
