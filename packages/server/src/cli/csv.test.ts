// Are CSV files read as RFC 4180 means them, wherever the chunks are cut?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvReader, type CsvRecord } from './csv.ts';
import { columnKinds, rowToJson } from './csv-types.ts';

function read(text: string, separator = ','): string[][] {
  const reader = new CsvReader(separator);
  return [...reader.push(text), ...reader.end()].map((record) => record.fields);
}

test('the examples of the RFC', () => {
  assert.deepEqual(read('aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(read('aaa,bbb,ccc\nzzz,yyy,xxx'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(read('"aaa","b\r\nbb","ccc"\r\nzzz,yyy,xxx'), [
    ['aaa', 'b\r\nbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(read('"aaa","b""bb","ccc"'), [['aaa', 'b"bb', 'ccc']]);
  assert.deepEqual(read('a,,\n,"",b\n\nc'), [['a', '', ''], ['', '', 'b'], ['c']]);
});

test('lines are counted through quotes', () => {
  const reader = new CsvReader();
  const records = [...reader.push('h\r\n"a\r\nb"\r\nc\n'), ...reader.end()];
  assert.deepEqual(
    records.map((record) => record.line),
    [1, 2, 4],
  );
});

test('broken quotes are named by their line', () => {
  assert.throws(() => read('a\n"b'), /Line 2: a quoted field begins here/);
  assert.throws(() => read('a\nb\n"c"d'), /Line 3: a quoted field goes on/);
});

test('a record that cannot be read is told by its line, and every other is read', () => {
  const bad = (text: string, size: number): { rows: string[]; told: number[] } => {
    const told: number[] = [];
    const reader = new CsvReader(',', (line) => told.push(line));
    const rows: CsvRecord[] = [];
    for (let at = 0; at < text.length; at += size) rows.push(...reader.push(text.slice(at, at + size)));
    rows.push(...reader.end());
    return { rows: rows.map(({ line, fields }) => `${line}:${fields.join('|')}`), told };
  };
  for (const size of [1, 2, 3, 1000]) {
    assert.deepEqual(bad('a,b\n1,x\n2,"y\n3,z\n4,"w w"\n', size), {
      rows: ['1:a|b', '2:1|x', '4:3|z', '5:4|w w'],
      told: [3],
    });
    assert.deepEqual(bad('a,b\r\n1,"x"y\r\n2,"p\nq"\r\n3,"r', size), {
      rows: ['1:a|b', '3:2|p\nq'],
      told: [2, 5],
    });
  }
  assert.throws(() => bad('a,"b\n1,2\n', 100), /Line 1: a quoted field begins here/);
});

test('what is written is read back, in pieces of any size', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ä', '"', ',', '\n', '\r', ' ', '\t', ';') });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(table, fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }), (rows, cuts) => {
      const text = rows
        .map((row) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\r\n`)
        .join('');
      const reader = new CsvReader();
      const got: string[][] = [];
      for (let at = 0, k = 0; at < text.length; k++) {
        const size = 1 + (cuts[k % cuts.length] ?? 0);
        got.push(...reader.push(text.slice(at, at + size)).map((record) => record.fields));
        at += size;
      }
      got.push(...reader.end().map((record) => record.fields));
      assert.deepEqual(got, rows);
    }),
  );
});

test('only columns of numbers become numbers', () => {
  const rows = [
    ['1', '01234', 'true', '', '9007199254740993', '1.50'],
    ['-2', '5', 'false', '', '1', '2e3'],
  ];
  const kinds = columnKinds(6, rows);
  assert.deepEqual(kinds, ['number', 'text', 'boolean', 'text', 'number', 'number']);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  assert.equal(
    rowToJson(names, kinds, rows[0] ?? []),
    '{"a":1,"b":"01234","c":true,"e":9007199254740993,"f":1.50}',
  );
  assert.equal(rowToJson(names, kinds, ['x']), '{"a":"x"}');
});
