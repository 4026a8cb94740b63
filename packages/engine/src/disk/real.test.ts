// The real disk keeps the contract of the seam, and its lock ends with its process.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskConformance } from './conformance.ts';
import { openDisk, type RealDisk } from './real.ts';

async function temporary(): Promise<{ disk: RealDisk; dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-disk-'));
  return {
    disk: await openDisk(folder),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

diskConformance('real disk', temporary);

test('real disk: the lock of a killed process is free, that of a living one is not', async () => {
  const { disk, dispose } = await temporary();
  const holder = `
    const { openDisk } = await import(${JSON.stringify(new URL('./real.ts', import.meta.url).href)});
    await (await openDisk(${JSON.stringify(disk.folder)})).lock();
    console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    await assert.rejects(disk.lock(), {
      message: `data directory ${disk.folder} is in use by process ${child.pid}; stop it first, or choose another directory`,
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await disk.lock())();
  } finally {
    child.kill('SIGKILL');
    await dispose();
  }
});

test('real disk: appends written through, short and long, lie in their order, whoever wrote them', async () => {
  const { disk, dispose } = await temporary();
  try {
    const file = await disk.open('log/appends', { create: true });
    const all: Uint8Array[] = [];
    let end = 0;
    for (let i = 0; i < 400; i++) {
      const length = i % 40 === 0 ? 100_000 : (i * 997) % 3_000;
      const parts = [new Uint8Array(36).fill(i), new Uint8Array(length).fill(i + 1)];
      assert.equal(await file.writeThrough(parts, end), length + 36);
      end += length + 36;
      assert.equal(file.size(), end);
      all.push(...parts);
    }
    await file.close();
    assert.deepEqual(Buffer.from(await disk.read('log/appends')), Buffer.concat(all));
  } finally {
    await dispose();
  }
});

test('real disk: makes its directory, and those above it', async () => {
  const { disk, dispose } = await temporary();
  try {
    const inner = await openDisk(join(disk.folder, 'a', 'b', 'c'));
    assert.equal(inner.folder, join(disk.folder, 'a', 'b', 'c'));
    assert.equal((await openDisk(inner.folder)).folder, inner.folder);
  } finally {
    await dispose();
  }
});

test('real disk: without a descriptor nothing is created, and a folder is synced all the same', {
  skip: process.platform === 'win32' ? 'there is no such limit' : false,
}, async () => {
  const { disk, dispose } = await temporary();
  const program = `
    const { openSync, closeSync, existsSync } = await import('node:fs');
    const { openDisk } = await import(${JSON.stringify(new URL('./real.ts', import.meta.url).href)});
    const disk = await openDisk(${JSON.stringify(disk.folder)});
    const release = await disk.lock();
    const file = await disk.open('log/one', { create: true });
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {}
    const codes = [];
    for (const call of [
      () => disk.open('log/two', { create: true }), () => disk.open('new/two', { create: true }),
      () => disk.read('log/one'), () => disk.list('log'), () => file.writeThrough([Buffer.from('x')], 0),
    ]) codes.push(await call().then(() => 'done', (error) => error.code));
    await disk.rename('log/one', 'log/three');
    await disk.syncFolder('log');
    for (const descriptor of taken) closeSync(descriptor);
    await file.close();
    const made = existsSync(disk.path('log/two'));
    await release();
    console.log(JSON.stringify({ codes, made, left: await disk.list('log') }));`;
  const child = spawn(
    'sh',
    ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    let out = '';
    for await (const part of child.stdout) out += part;
    assert.deepEqual(JSON.parse(out), {
      codes: Array(5).fill('EMFILE'),
      made: false,
      left: ['three'],
    });
  } finally {
    await dispose();
  }
});
