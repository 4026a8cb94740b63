// The CSV reader follows RFC 4180, wherever the chunks are cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CsvRecord, csvSeparator, type OnBadRecord, readCsv } from './csv.ts';
import { columnKinds, rowToJson } from './csv-types.ts';

/** Bytes cut into pieces: so many bytes each, the sizes taken in turn. */
async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, k = 0; at < bytes.length; k++) {
    const size = sizes[k % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function records(text: string, sizes: readonly number[], onBad?: OnBadRecord): Promise<CsvRecord[]> {
  const all: CsvRecord[] = [];
  for await (const batch of readCsv(cut(text, sizes), ',', onBad)) all.push(...batch);
  return all;
}

async function read(text: string, sizes: readonly number[] = [1_000]): Promise<string[][]> {
  return (await records(text, sizes)).map(({ fields }) => fields);
}

test('the header shows the separator', async () => {
  const cases = {
    'a,b;c,d\n1;2;3;4': ',',
    'a;b,c;d\n': ';',
    'a\tb': '\t',
    a: ',',
    '"a;b;c",d\r\n': ',',
    '': ',',
  };
  for (const [header, separator] of Object.entries(cases))
    assert.equal(csvSeparator(Buffer.from(header)), separator, header);
  const rows: string[][] = [];
  for await (const batch of readCsv(cut('name;price\n"a;b";1,5\n', [100]), undefined))
    rows.push(...batch.map(({ fields }) => fields));
  assert.deepEqual(rows, [
    ['name', 'price'],
    ['a;b', '1,5'],
  ]);
});

test('the examples of the RFC', async () => {
  assert.deepEqual(await read('aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(await read('aaa,bbb,ccc\nzzz,yyy,xxx'), [
    ['aaa', 'bbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(await read('"aaa","b\r\nbb","ccc"\r\nzzz,yyy,xxx'), [
    ['aaa', 'b\r\nbb', 'ccc'],
    ['zzz', 'yyy', 'xxx'],
  ]);
  assert.deepEqual(await read('"aaa","b""bb","ccc"'), [['aaa', 'b"bb', 'ccc']]);
  assert.deepEqual(await read('a,,\n,"",b\n\nc'), [['a', '', ''], ['', '', 'b'], ['c']]);
});

test('line ends may be of several kinds, and blank lines are no records', async () => {
  for (const sizes of [[1], [2], [3], [100]]) {
    assert.deepEqual(await read('\n\r\na,b\r\n1,2\n\n3,4\r5,6\n\n', sizes), [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]);
    assert.deepEqual(await read('', sizes), []);
    assert.deepEqual(await read('\n', sizes), []);
    assert.deepEqual(await read('""\n', sizes), [['']]);
  }
});

test('lines are counted through quotes and blank lines', async () => {
  const lines = await records('\nh\r\n"a\r\nb"\r\n\r\nc\n', [3]);
  assert.deepEqual(
    lines.map((record) => record.line),
    [2, 3, 6],
  );
});

test('broken quotes are named by their line', async () => {
  await assert.rejects(read('a\n"b'), /Line 2: a quoted field starts here/);
  await assert.rejects(read('a\nb\n"c"d'), /Line 3: a quoted field continues/);
  await assert.rejects(read('a\n5" disk'), /Line 2: an unquoted field contains a quote/);
});

test('a record that cannot be read is told by its line, and every other is read', async () => {
  const bad = async (text: string, size: number): Promise<{ rows: string[]; told: number[] }> => {
    const told: number[] = [];
    const rows = await records(text, [size], (line) => told.push(line));
    return { rows: rows.map(({ line, fields }) => `${line}:${fields.join('|')}`), told };
  };
  for (const size of [1, 2, 3, 1000]) {
    assert.deepEqual(await bad('a,b\n1,x\n2,"y\n3,z\n4,"w w"\n', size), {
      rows: ['1:a|b', '2:1|x', '4:3|z', '5:4|w w'],
      told: [3],
    });
    assert.deepEqual(await bad('a,b\r\n1,"x"y\r\n\r\n2,"p\nq"\r\n3,"r', size), {
      rows: ['1:a|b', '4:2|p\nq'],
      told: [2, 6],
    });
    assert.deepEqual(await bad('a,b\n"1\n"2\n"3\n4,d\n', size), {
      rows: ['1:a|b', '5:4|d'],
      told: [2, 3, 4],
    });
    const quoteInside = await bad('a,b\n1,5" disk\n2,ü\n', size);
    assert.deepEqual(quoteInside, { rows: ['1:a|b', '3:2|ü'], told: [2] });
  }
  await assert.rejects(bad('a,"b\n1,2\n', 100), /Line 1: a quoted field starts here/);
  await assert.rejects(bad(`a\n${'"x"y\n'.repeat(2_000)}`, 1_000), /Line 1002: a quoted field continues/);
});

test('what is written is read back, in pieces of any size', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ä', '"', ',', '\n', '\r', ' ', '\t', ';') });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 8 });
  const sizes = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, sizes, async (rows, pieces) => {
      const text = rows
        .map((row) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\r\n`)
        .join('');
      assert.deepEqual(await read(text, pieces), rows);
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
