// The test suite that every disk driver must pass; run on the real and on the simulated one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk } from './disk.ts';

/** Declares the suite for a driver. `make` gives an empty data directory and how to dispose of it. */
export function diskConformance(
  driver: string,
  make: () => Promise<{ disk: Disk; dispose: () => Promise<void> }>,
): void {
  const check = (what: string, run: (disk: Disk) => Promise<void>): void => {
    test(`${driver}: ${what}`, async () => {
      const { disk, dispose } = await make();
      try {
        await run(disk);
      } finally {
        await dispose();
      }
    });
  };

  check('gathers parts and reads them back at any position', async (disk) => {
    const file = await disk.open('log/1', { create: true });
    assert.equal(await file.write([bytes('hello '), new Uint8Array(0), bytes('world')], 0), 11);
    assert.equal(await file.write([bytes('W')], 6), 1);
    assert.equal(file.size(), 11);
    const into = new Uint8Array(20);
    assert.equal(file.readSync(into, 4), 7);
    assert.equal(text(into.subarray(0, 7)), 'o World');
    assert.equal(file.readSync(into, 11), 0);
    assert.equal(file.readSync(into, 500), 0);
    assert.equal(await file.write([], 0), 0);
    await file.sync();
    await file.close();
  });

  check('writes through', async (disk) => {
    const file = await disk.open('log/2', { create: true });
    assert.equal(await file.writeThrough([bytes('one '), bytes('two')], 0), 7);
    assert.equal(await file.write([bytes(' three')], 7), 6);
    assert.equal(await file.writeThrough([bytes('T')], 4), 1);
    assert.equal(await file.writeThrough([], 13), 0);
    assert.equal(file.size(), 13);
    assert.equal(text(await disk.read('log/2')), 'one Two three');
    await file.truncate(3);
    assert.equal(await file.writeThrough([bytes('!')], 3), 1);
    assert.equal(text(await disk.read('log/2')), 'one!');
    await file.close();
  });

  check('takes more parts than one system call does', async (disk) => {
    const file = await disk.open('many', { create: true });
    const parts = Array.from({ length: 3_000 }, (_, at) => Uint8Array.of(at & 255, at >> 8));
    assert.equal(await file.write(parts, 5), 6_000);
    const into = new Uint8Array(6_000);
    file.readSync(into, 5);
    for (let at = 0; at < 3_000; at++) assert.equal(into[at * 2]! | (into[at * 2 + 1]! << 8), at);
    await file.close();
  });

  check('reads and writes shared memory', async (disk) => {
    const shared = new Uint8Array(new SharedArrayBuffer(8));
    shared.set(bytes('octavo..'));
    const file = await disk.open('shared', { create: true });
    await file.write([shared.subarray(0, 6)], 0);
    shared.fill(0);
    assert.equal(file.readSync(shared.subarray(1, 7), 0), 6);
    assert.equal(text(Uint8Array.from(shared.subarray(1, 7))), 'octavo');
    await file.close();
  });

  check('truncates, and fills a gap with zeros', async (disk) => {
    const file = await disk.open('a', { create: true });
    await file.write([bytes('abcdef')], 0);
    await file.truncate(2);
    assert.equal(file.size(), 2);
    await file.write([bytes('z')], 4);
    assert.deepEqual([...(await disk.read('a'))], [97, 98, 0, 0, 122]);
    await file.close();
  });

  check('keeps contents when a file is opened again', async (disk) => {
    const first = await disk.open('x/y/z', { create: true });
    await first.write([bytes('one')], 0);
    await first.close();
    const second = await disk.open('x/y/z', { create: true });
    assert.equal(second.size(), 3);
    await second.close();
  });

  check('says ENOENT for what is not there', async (disk) => {
    await assert.rejects(disk.open('none'), { code: 'ENOENT' });
    await assert.rejects(disk.read('none'), { code: 'ENOENT' });
    await assert.rejects(disk.remove('none'), { code: 'ENOENT' });
    await assert.rejects(disk.rename('none', 'other'), { code: 'ENOENT' });
    assert.deepEqual(await disk.list('none'), []);
  });

  check('renames over what is there, removes and lists', async (disk) => {
    for (const name of ['f/one', 'f/two', 'f/sub/three', 'top']) {
      const file = await disk.open(name, { create: true });
      await file.write([bytes(name)], 0);
      await file.close();
    }
    await disk.rename('f/one', 'f/two');
    await disk.syncFolder('f');
    await disk.syncFolder('');
    assert.deepEqual(await disk.list('f'), ['two']);
    assert.deepEqual(await disk.list(''), ['top']);
    assert.equal(text(await disk.read('f/two')), 'f/one');
    await disk.remove('f/two');
    assert.deepEqual(await disk.list('f'), []);
  });

  check('refuses names that lead out, and renames across folders', async (disk) => {
    for (const name of ['../x', '/x', 'a/../../x', 'a//b', '.', 'a\\b'])
      await assert.rejects(disk.open(name, { create: true }), /not a name/);
    const file = await disk.open('a/b', { create: true });
    await file.close();
    await assert.rejects(disk.rename('a/b', 'b'), /within its folder/);
  });

  check('has one owner', async (disk) => {
    const release = await disk.lock();
    await assert.rejects(disk.lock(), (error: Error) =>
      error.message.includes(`is in use by process ${process.pid}`),
    );
    await release();
    await (await disk.lock())();
  });
}

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function text(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
