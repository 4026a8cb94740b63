// The catalog keeps committed changes, all or nothing, and detects damage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Disk } from '../disk/disk.ts';
import { DiskFullError } from '../disk/failure.ts';
import { SimulatedDisk } from '../disk/simulated.ts';
import type { JsonValue } from '../json/value.ts';
import { Catalog } from './catalog.ts';

const FILE = 'catalog/manifest';

async function overwrite(disk: Disk, text: string): Promise<void> {
  const file = await disk.open(FILE, { create: true });
  await file.truncate(0);
  await file.write([new TextEncoder().encode(text)], 0);
}

async function textOf(disk: Disk): Promise<string> {
  return new TextDecoder().decode(await disk.read(FILE));
}

test('puts, replaces, removes; the same when opened again', async () => {
  const disk = new SimulatedDisk();
  const catalog = await Catalog.open(disk);
  await catalog.commit([{ put: ['index', 'a', { n: 1 }] }, { put: ['index', 'b', [1, 'two', null, true]] }]);
  await catalog.commit([
    { put: ['index', 'a', { n: 2 }] },
    { put: ['alias', 'a', 'x'] },
    { remove: ['index', 'b'] },
  ]);
  await catalog.commit([{ remove: ['index', 'never'] }]);
  await catalog.commit([]);
  for (const one of [catalog, await Catalog.open(disk)]) {
    assert.deepEqual(JSON.stringify(one.get('index', 'a')), '{"n":2}');
    assert.equal(one.get('index', 'b'), undefined);
    assert.deepEqual([...one.list('index').keys()], ['a']);
    assert.deepEqual([...one.list('alias')], [['a', 'x']]);
    assert.equal(one.list('none').size, 0);
  }
});

test('keys that are traps, integers beyond 2^53, odd strings', async () => {
  const disk = new SimulatedDisk();
  const catalog = await Catalog.open(disk);
  const json = '{"__proto__":{"x":1},"constructor":2,"toJSON":3}';
  const tricky = JSON.parse(json) as JsonValue;
  const numbers: JsonValue = [9007199254740993n, -(2n ** 63n), 2 ** 53, 0.1, 1e300, -5, 7n, 1e20, 1e21];
  await catalog.commit([
    { put: ['__proto__', 'constructor', tricky] },
    { put: ['numbers', '', numbers] },
    { put: ['strings', '\n\0\u2028é😀\ud800', 'line\nline\r'] },
  ]);
  const again = await Catalog.open(disk);
  assert.equal(JSON.stringify(again.get('__proto__', 'constructor')), json);
  assert.equal(Object.getPrototypeOf(again.get('__proto__', 'constructor')), null);
  const read = numbers
    .with(2, 2n ** 53n)
    .with(6, 7)
    .with(7, 10n ** 20n);
  for (const one of [catalog, again]) assert.deepEqual(one.get('numbers', ''), read);
  for (const kind of ['__proto__', 'strings'])
    assert.deepEqual([...catalog.list(kind)], [...again.list(kind)]);
  assert.deepEqual([...again.list('strings')], [['\n\0\u2028é😀\ud800', 'line\nline\r']]);
});

test('what was given may change afterwards', async () => {
  const catalog = await Catalog.open(new SimulatedDisk());
  const value = { list: [1] };
  const done = catalog.commit([{ put: ['k', 'n', value] }]);
  value.list.push(2);
  assert.equal(catalog.get('k', 'n'), undefined, 'not before it is durable');
  await done;
  assert.equal(JSON.stringify(catalog.get('k', 'n')), '{"list":[1]}');
});

test('the file is rewritten when most of it is history', async () => {
  const disk = new SimulatedDisk();
  const catalog = await Catalog.open(disk, { minBytes: 500 });
  const all = Array.from({ length: 200 }, (_, at) => catalog.commit([{ put: ['k', `n${at % 3}`, { at }] }]));
  await Promise.all(all);
  assert.ok((await disk.read(FILE)).length < 1_500);
  assert.ok(disk.operations.filter((name) => name.startsWith('rename')).length > 5);
  for (const one of [catalog, await Catalog.open(disk)])
    assert.deepEqual(
      [...one.list('k').values()].map((value) => (value as { at: number }).at).sort((a, b) => a - b),
      [197, 198, 199],
    );
});

test('a torn last line is cut, at every length', async () => {
  const source = new SimulatedDisk();
  const first = await Catalog.open(source);
  await first.commit([{ put: ['k', 'one', 1] }]);
  const before = await textOf(source);
  await first.commit([{ put: ['k', 'two', 'a'.repeat(100)] }]);
  const after = await textOf(source);
  for (let length = before.length; length < after.length; length++) {
    const disk = new SimulatedDisk();
    await overwrite(disk, after.slice(0, length));
    const catalog = await Catalog.open(disk);
    assert.deepEqual([...catalog.list('k').keys()], ['one']);
    assert.equal(await textOf(disk), before);
    await catalog.commit([{ put: ['k', 'three', 3] }]);
    assert.deepEqual([...(await Catalog.open(disk)).list('k').keys()], ['one', 'three']);
  }
});

test('damage is named by file, line and place, and nothing is touched', async () => {
  const source = new SimulatedDisk();
  const catalog = await Catalog.open(source);
  for (let at = 0; at < 5; at++) await catalog.commit([{ put: ['k', `n${at}`, at] }]);
  const text = await textOf(source);
  const last = text.lastIndexOf('\n', text.length - 2) + 1;
  for (let at = 0; at < last - 1; at++) {
    const disk = new SimulatedDisk();
    await overwrite(disk, text);
    disk.damage(FILE, at);
    const damaged = await textOf(disk);
    await assert.rejects(Catalog.open(disk), {
      name: 'CatalogDamaged',
      message: /catalog\/manifest is damaged in line \d/,
    });
    assert.equal(await textOf(disk), damaged);
  }
  for (const wrong of [
    '',
    '\n',
    text.slice(text.indexOf('\n') + 1),
    'garbage',
    text.replace(/^.*n2.*\n/m, ''),
  ]) {
    const disk = new SimulatedDisk();
    await overwrite(disk, wrong);
    await assert.rejects(Catalog.open(disk), Error);
  }
});

test('a format version of the future is refused by name', async () => {
  const disk = new SimulatedDisk();
  const body = '0 {"format":9}';
  await overwrite(disk, `${crc32(body).toString(16).padStart(8, '0')} ${body}\n`);
  await assert.rejects(Catalog.open(disk), /catalog\/manifest has format version 9.*reads versions 1 to 1/);
});

test('on a full disk puts are refused, removals may have the room that is set free for them', async () => {
  const disk = new SimulatedDisk();
  let room = 1;
  const makeRoom = async () => {
    disk.capacity += room > 0 ? 200 : 0;
    return room-- > 0;
  };
  const catalog = await Catalog.open(disk, { makeRoom });
  await catalog.commit([{ put: ['index', 'a', 1] }, { put: ['index', 'b', 2] }]);
  disk.capacity = disk.used() + 10;
  await assert.rejects(catalog.commit([{ put: ['index', 'c', 3] }]), DiskFullError);
  await catalog.commit([{ remove: ['index', 'a'] }]);
  disk.capacity = disk.used() + 10;
  await assert.rejects(catalog.commit([{ remove: ['index', 'b'] }]), DiskFullError);
  for (const one of [catalog, await Catalog.open(disk)])
    assert.deepEqual([...one.list('index').keys()], ['b']);
});
