// Zeros written ahead of appends are never read as part of the log, and the log never needs them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { frameOf, recordsOfCommit, replayAll } from '../feed/history.testing.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';
import { findTrailingZeros } from './preallocation.ts';

const FILE = 'log/00000001.log';
const AHEAD: LogOptions = { ballastBytes: 0, cacheBytes: 1 << 20, packing: { preallocated: 5_000 } };

async function append(log: DocumentLog, from: number, to: number): Promise<void> {
  for (let commit = from; commit <= to; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
}

const history = (to: number) => Array.from({ length: to }, (_, at) => recordsOfCommit(at + 1)).flat();

for (const scanBelow of [0, 4 << 20])
  test(`a killed process leaves zeros, which a start cuts and does not tell of (read from ${scanBelow})`, async () => {
    const disk = new SimulatedDisk();
    await append(await DocumentLog.open(disk, AHEAD), 1, 20);
    const before = (await disk.read(FILE)).length;
    const log = await DocumentLog.open(disk, { ...AHEAD, scanBelow });
    const { stored } = log.chunks()[0]!;
    assert.ok(before > stored, `${before} bytes, ${stored} of them appended`);
    assert.deepEqual([log.findings, log.lastCommit], [[], 20]);
    assert.equal((await disk.read(FILE)).length, stored);
    await append(log, 21, 40);
    assert.ok((await disk.read(FILE)).length > log.chunks()[0]!.stored, 'written ahead again');
    assert.deepEqual(await replayAll(log), history(40));
    await log.close();
    assert.equal((await disk.read(FILE)).length, log.chunks()[0]!.stored);
  });

test('what is torn is told of without the zeros behind it', async () => {
  const disk = new SimulatedDisk();
  const first = await DocumentLog.open(disk, AHEAD);
  await append(first, 1, 20);
  const { stored } = first.chunks()[0]!;
  const file = await disk.open(FILE);
  assert.ok(file.size() > stored + 300);
  await file.write([new Uint8Array(100).fill(7)], stored + 200);
  const log = await DocumentLog.open(disk, AHEAD);
  assert.deepEqual(
    log.findings.map(({ kind, length }) => [kind, length]),
    [['torn', 300]],
  );
  assert.deepEqual(await replayAll(log), history(20));
});

test('zeros at the end of a chunk that another one follows are damage', async () => {
  const disk = new SimulatedDisk();
  const small = { ...AHEAD, chunkBytes: 6_000 };
  const first = await DocumentLog.open(disk, small);
  await append(first, 1, 40);
  assert.ok(first.chunks().length > 2);
  for (const { number, stored } of first.chunks().slice(0, -1))
    assert.equal((await disk.read(`log/0000000${number}.log`)).length, stored);
  await first.close();
  const file = await disk.open(FILE);
  await file.write([new Uint8Array(500)], file.size() - 500);
  const found: string[] = [];
  const log = await DocumentLog.open(disk, small);
  await log.verify(({ kind, chunk }) => found.push(`${kind} ${chunk}`));
  assert.deepEqual([...new Set(found)], ['damaged 1']);
});

test('a disk with space for the documents and not for the zeros refuses none', async () => {
  const plain = new SimulatedDisk();
  const log = await DocumentLog.open(plain, { ...AHEAD, packing: { preallocated: 0 } });
  await append(log, 1, 60);
  for (const more of [0, 300, 1_000, 4_000]) {
    const disk = new SimulatedDisk({ capacity: plain.used() + more });
    const tight = await DocumentLog.open(disk, AHEAD);
    await append(tight, 1, 60);
    await tight.close();
    assert.equal(disk.used(), plain.used());
    assert.deepEqual(await replayAll(await DocumentLog.open(disk, AHEAD)), history(60));
  }
});

test('where zeros begin', () => {
  const bytes = new Uint8Array(200_000);
  const file = {
    readSync: (into: Uint8Array, position: number) => {
      const found = bytes.subarray(position, position + into.length);
      into.set(found);
      return found.length;
    },
  };
  assert.equal(findTrailingZeros(file, 10, bytes.length), 10);
  for (const place of [9, 10, 65_535, 65_536, 134_463, 134_464, 199_999]) {
    bytes.fill(0);
    bytes[place] = 1;
    assert.equal(findTrailingZeros(file, 10, bytes.length), Math.max(10, place + 1));
  }
});
