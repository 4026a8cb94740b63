// The log returns what was written, wherever it is cut, copied or damaged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk } from '../disk/disk.ts';
import { DiskFullError } from '../disk/failure.ts';
import { SimulatedDisk } from '../disk/simulated.ts';
import { entryOf, frameOf, readText, recordsOfCommit, replayAll } from './feed/history.testing.ts';
import { CHUNK_HEADER } from './format/format.ts';
import { DocumentLog } from './log.ts';
import type { LogOptions } from './log-options.ts';

const SMALL: LogOptions = {
  chunkBytes: 3_000,
  slabBytes: 2_048,
  cacheBytes: 10_000,
  ballastBytes: 0,
  retryMs: 0,
};

/**
 * Where the bytes of a chunk lie as they are: files are torn and damaged at places of frames (else:
 * log.packed.test.ts).
 */
const PLAIN: LogOptions = { ...SMALL, chunkBytes: 1 << 20, packing: { version: 1 } };

/** A log of commits 1 … n, closed. */
async function written(disk: Disk, commits: number, options: LogOptions = SMALL): Promise<void> {
  const log = await DocumentLog.open(disk, options);
  for (let commit = log.lastCommit + 1; commit <= commits; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  await log.close();
}

const history = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => recordsOfCommit(from + at)).flat();

async function patch(disk: Disk, name: string, position: number, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(name, { create: true });
  await file.write([bytes], position);
  await file.sync();
  await disk.syncFolder('log');
}

async function sizeOf(disk: Disk, name: string): Promise<number> {
  return (await disk.read(name)).length;
}

test('what was appended is replayed, read by pointer, and found again when opened again', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  assert.equal(log.lastCommit, 0);
  const ahead = [1, 2, 3].map((commit) => frameOf(log, commit, recordsOfCommit(commit)));
  const sources = history(1, 3).flatMap(({ kind, source }) => (kind === 'index' ? [source] : []));
  const pointers = ahead.flatMap(([, some]) => some);
  assert.deepEqual(
    pointers.map((pointer) => readText(log, pointer)),
    sources,
    'before they are durable',
  );
  await log.append(ahead.map(([frame]) => frame));
  for (let commit = 4; commit <= 40; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  assert.equal(log.lastCommit, 40);
  assert.ok(log.chunks().length > 5);
  assert.deepEqual(await replayAll(log), history(1, 40));
  assert.deepEqual(await replayAll(log, 17), history(18, 40));
  assert.deepEqual(
    pointers.map((pointer) => readText(log, pointer)),
    sources,
  );
  const before = log.chunks();
  await log.close();

  const again = await DocumentLog.open(disk, SMALL);
  assert.deepEqual(again.findings, []);
  assert.equal(again.lastCommit, 40);
  assert.deepEqual(again.chunks(), before);
  assert.deepEqual(await replayAll(again), history(1, 40));
  await again.verify((finding) => assert.fail(finding.reason));
});

test('chunk bounds hold every commit, and only chunks above a commit are read', async () => {
  const disk = new SimulatedDisk();
  await written(disk, 30);
  const chunks = (await DocumentLog.open(disk, SMALL)).chunks();
  chunks.forEach((chunk, at) => {
    assert.equal(chunk.firstCommit, (chunks[at - 1]?.lastCommit ?? 0) + 1);
  });
  assert.equal(chunks.at(-1)!.lastCommit, 30);
});

test('bytes that were read never change, whatever is written, reset and forgotten', async () => {
  const log = await DocumentLog.open(new SimulatedDisk(), { ...SMALL, cacheBytes: 0 });
  const [frame, [pointer]] = frameOf(log, 1, recordsOfCommit(1));
  const early = log.read(pointer!.chunk, pointer!.offset, pointer!.length);
  await log.append([frame]);
  const late = log.read(pointer!.chunk, pointer!.offset, pointer!.length);
  frameOf(log, 2, recordsOfCommit(20));
  log.reset();
  for (let commit = 2; commit < 30; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  const text = recordsOfCommit(1)[0]!.source;
  assert.equal(new TextDecoder().decode(early), text);
  assert.equal(new TextDecoder().decode(late), text);
  assert.ok(log.cacheBytes < 10_000, String(log.cacheBytes));
});

test('a frame larger than slab and chunk is one frame', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  const large = { ...recordsOfCommit(1)[0]!, source: JSON.stringify('y'.repeat(50_000)) };
  await log.append([frameOf(log, 1, [large, large])[0]]);
  await log.append([frameOf(log, 2, recordsOfCommit(2))[0]]);
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, SMALL)), [
    large,
    large,
    ...recordsOfCommit(2),
  ]);
});

test('an empty frame, an id of 65,535 bytes, none longer', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  const wide = { ...recordsOfCommit(2)[0]!, commit: 2, id: 'i'.repeat(65_535) };
  await log.append([log.beginFrame(1), frameOf(log, 2, [wide])[0]]);
  assert.throws(() => frameOf(log, 3, [{ ...wide, id: `${wide.id}i` }]), RangeError);
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, SMALL)), [wide]);
});

test('frames must be appended in the order in which they were begun', async () => {
  const log = await DocumentLog.open(new SimulatedDisk(), SMALL);
  const [first] = frameOf(log, 1, recordsOfCommit(1));
  const [second] = frameOf(log, 2, recordsOfCommit(2));
  await assert.rejects(log.append([second]), /does not follow/);
  await log.append([first, second]);
  await assert.rejects(log.append([second]), /does not follow/);
});

test('starts on an empty file, a header only, a torn header, and a number that was skipped', async () => {
  for (const length of [0, 17, CHUNK_HEADER - 1, CHUNK_HEADER]) {
    const disk = new SimulatedDisk();
    await written(disk, 6, { ...SMALL, chunkBytes: 1 << 20 });
    const other = new SimulatedDisk();
    await DocumentLog.open(other, SMALL);
    const header = new Uint8Array(await other.read('log/00000001.log')).slice(0, length);
    if (length === CHUNK_HEADER) await disk.remove('log/00000001.log');
    await patch(disk, `log/0000000${length === CHUNK_HEADER ? 1 : 3}.log`, 0, header);
    const log = await DocumentLog.open(disk, SMALL);
    assert.deepEqual(log.findings, []);
    assert.equal(log.lastCommit, length === CHUNK_HEADER ? 0 : 6);
    const next = log.lastCommit + 1;
    await log.append([frameOf(log, next, recordsOfCommit(next))[0]]);
    const after = await replayAll(await DocumentLog.open(disk, SMALL));
    assert.deepEqual(after, history(length === CHUNK_HEADER ? 1 : 1, next));
  }
});

test('a torn end is cut at the last whole frame, wherever it is torn', async () => {
  const whole = new SimulatedDisk();
  const options = PLAIN;
  await written(whole, 5, options);
  const five = await whole.read('log/00000001.log');
  await written(whole, 6, options);
  const six = await whole.read('log/00000001.log');
  for (let length = five.length; length <= six.length; length++) {
    const disk = new SimulatedDisk();
    await patch(disk, 'log/00000001.log', 0, six.subarray(0, length));
    const log = await DocumentLog.open(disk, options);
    const isWhole = length === six.length;
    assert.equal(log.lastCommit, isWhole ? 6 : 5);
    assert.equal(log.findings.length, isWhole || length === five.length ? 0 : 1);
    assert.equal(await sizeOf(disk, 'log/00000001.log'), isWhole ? six.length : five.length);
  }
});

test('garbage at the end is cut: zeros, noise, frames of elsewhere', async () => {
  const options = PLAIN;
  const other = new SimulatedDisk();
  await written(other, 9, options);
  const frames = (await other.read('log/00000001.log')).subarray(CHUNK_HEADER);
  const noise = Uint8Array.from({ length: 3_001 }, (_, at) => (at * 7_919) >> 3);
  for (const garbage of [new Uint8Array(5_000), noise, frames]) {
    const disk = new SimulatedDisk();
    await written(disk, 4, options);
    const size = await sizeOf(disk, 'log/00000001.log');
    await patch(disk, 'log/00000001.log', size, garbage);
    const log = await DocumentLog.open(disk, options);
    assert.deepEqual(
      log.findings.map(({ kind, offset, length }) => ({ kind, offset, length })),
      [{ kind: 'torn', offset: size, length: garbage.length }],
    );
    assert.deepEqual(await replayAll(log), history(1, 4));
  }
});

test('frames of one append: a bad one takes those behind it with it', async () => {
  const options = PLAIN;
  const disk = new SimulatedDisk();
  await written(disk, 2, options);
  const log = await DocumentLog.open(disk, options);
  const frames = [3, 4, 5].map((commit) => frameOf(log, commit, recordsOfCommit(commit))[0]);
  await log.append(frames);
  disk.damage('log/00000001.log', frames[1]!.offset + 50);
  const again = await DocumentLog.open(disk, options);
  assert.equal(again.lastCommit, 3);
  assert.equal(again.findings[0]?.kind, 'torn');
});

test('damage where it was durable is reported, never cut, and the rest is told', async () => {
  for (const chunkBytes of [3_000, 1 << 20]) {
    const options = { ...SMALL, chunkBytes };
    const disk = new SimulatedDisk();
    await written(disk, 12, options);
    const log = await DocumentLog.open(disk, options);
    const size = await sizeOf(disk, 'log/00000001.log');
    disk.damage('log/00000001.log', CHUNK_HEADER + 60, 3);
    const again = await DocumentLog.open(disk, options);
    assert.equal(again.lastCommit, 12);
    assert.deepEqual(await replayAll(again), history(2, 12));
    assert.equal(await sizeOf(disk, 'log/00000001.log'), size);
    const findings: string[] = [];
    const progress: number[] = [];
    await again.verify(
      ({ kind, chunk, offset }) => findings.push(`${kind} ${chunk} ${offset}`),
      (done, total) => progress.push(done / total),
    );
    assert.deepEqual(findings, [`damaged 1 ${CHUNK_HEADER}`]);
    assert.equal(progress.at(-1), 1);
    await again.append([frameOf(again, 13, recordsOfCommit(13))[0]]);
    assert.deepEqual(await replayAll(await DocumentLog.open(disk, options)), history(2, 13));
    await log.close();
  }
});

test('a damaged chunk header is reported; the frames are told all the same', async () => {
  for (const number of [1, 2, 3, 4]) {
    const disk = new SimulatedDisk();
    await written(disk, 15);
    const count = (await DocumentLog.open(disk, SMALL)).chunks().length;
    assert.ok(count >= 4);
    disk.damage(`log/0000000${number}.log`, 20);
    const log = await DocumentLog.open(disk, SMALL);
    assert.deepEqual(
      log.findings.map(({ chunk, kind, offset }) => [chunk, kind, offset]),
      [[number, 'damaged', 0]],
    );
    assert.deepEqual(await replayAll(log), history(1, 15));
    assert.deepEqual(await replayAll(log, 9), history(10, 15));
  }
});

test('a copy of a chunk is left alone and reported', async () => {
  const disk = new SimulatedDisk();
  await written(disk, 12);
  await patch(disk, 'log/00000009.log', 0, await disk.read('log/00000002.log'));
  const log = await DocumentLog.open(disk, SMALL);
  assert.deepEqual(
    log.findings.map(({ chunk, kind }) => [chunk, kind]),
    [[9, 'foreign']],
  );
  assert.deepEqual(await replayAll(log), history(1, 12));
  for (let commit = 13; commit <= 30; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  assert.ok(log.chunks().every(({ number }) => number !== 9));
  assert.ok(log.chunks().some(({ number }) => number > 9));
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, SMALL)), history(1, 30));
});

test('a format version of the future is refused by name', async () => {
  const disk = new SimulatedDisk();
  await written(disk, 1);
  const bytes = new Uint8Array(await disk.read('log/00000001.log'));
  bytes[8] = 9;
  const { crc32 } = await import('node:zlib');
  new DataView(bytes.buffer).setUint32(40, crc32(bytes.subarray(0, 40)), true);
  await patch(disk, 'log/00000001.log', 0, bytes);
  await assert.rejects(
    DocumentLog.open(disk, SMALL),
    /00000001\.log has format version 9.*reads versions 1 to 3/,
  );
});

test('a chunk is rewritten: moved records are told once, in their order, and read at their new place', async () => {
  const disk = new SimulatedDisk();
  await written(disk, 20);
  const log = await DocumentLog.open(disk, SMALL);
  const [, second] = log.chunks();
  const isIn = (commit: number) => commit >= second!.firstCommit && commit <= second!.lastCommit;
  const live = history(1, 20).filter(({ commit, seqNo }) => isIn(commit) && seqNo % 2 === 0);
  const pointers = await log.appendMoved(live.map(entryOf));
  assert.deepEqual(
    pointers.map((pointer) => readText(log, pointer)),
    live.map(({ source }) => source),
  );
  assert.deepEqual(await replayAll(log), history(1, 20), 'both copies are there, one is told');
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, SMALL)), history(1, 20));
  const again = await log.appendMoved(live.slice(1).map(entryOf));
  await log.removeChunk(second!.number);
  assert.throws(() => log.read(second!.number, 100, 10), /00000002\.log\] is missing/);
  const left = history(1, 20).filter(({ commit, seqNo }) => !isIn(commit) || seqNo % 2 === 0);
  assert.deepEqual(new Set(await replayAll(log)), new Set(left), 'two moved copies');
  await log.append([frameOf(log, 21, recordsOfCommit(21))[0]]);
  const reopened = await DocumentLog.open(disk, SMALL);
  assert.deepEqual(new Set(await replayAll(reopened)), new Set([...left, ...recordsOfCommit(21)]));
  assert.deepEqual(
    again.map((pointer) => readText(reopened, pointer)),
    live.slice(1).map(({ source }) => source),
  );
  assert.deepEqual(await replayAll(reopened, 20), recordsOfCommit(21));
  await reopened.verify((finding) => assert.fail(finding.reason));
  assert.deepEqual(await reopened.appendMoved([]), []);
  await assert.rejects(reopened.appendMoved([entryOf(live.at(-1)!), entryOf(live[0]!)]), /ascend/);
  assert.deepEqual(
    (await disk.list('log')).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('the chunk that is appended to cannot be removed', async () => {
  const log = await DocumentLog.open(new SimulatedDisk(), SMALL);
  await assert.rejects(log.removeChunk(1), /being appended to/);
  await log.removeChunk(77);
});

test('a full disk: the batch is refused whole, deletions go on, and documents as soon as there is space', async () => {
  const disk = new SimulatedDisk({ capacity: 12_000 });
  const options = { ...SMALL, ballastBytes: 4_000 };
  const log = await DocumentLog.open(disk, options);
  const kept: number[] = [];
  let commit = 1;
  for (; ; commit++) {
    const [frame] = frameOf(log, commit, recordsOfCommit(commit));
    const size = log.chunks().reduce((sum, { bytes }) => sum + bytes, 0);
    try {
      await log.append([frame]);
      kept.push(commit);
    } catch (error) {
      assert.ok(error instanceof DiskFullError && error.status === 507);
      assert.equal(
        log.chunks().reduce((sum, { bytes }) => sum + bytes, 0),
        size,
      );
      break;
    }
  }
  assert.ok(kept.length > 3);
  log.reset();
  const deletes = Array.from({ length: 10 }, (_, at) => recordsOfCommit(commit + at, true));
  for (const records of deletes) await log.append([frameOf(log, records[0]!.commit, records)[0]]);
  assert.ok(!(await disk.list('log')).includes('ballast'));
  commit += 10;
  await assert.rejects(log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]), DiskFullError);
  log.reset();
  disk.capacity = 30_000;
  await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  assert.equal(await sizeOf(disk, 'log/ballast'), 4_000);
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, options)), [
    ...kept.flatMap((one) => recordsOfCommit(one)),
    ...deletes.flat(),
    ...recordsOfCommit(commit),
  ]);
});

test('one append runs at a time', async () => {
  const log = await DocumentLog.open(new SimulatedDisk(), SMALL);
  const [first, second] = [1, 2].map((commit) => frameOf(log, commit, recordsOfCommit(commit))[0]);
  const running = log.append([first!]);
  await assert.rejects(log.append([second!]), /another append runs/);
  await running;
  await log.append([second!]);
  assert.deepEqual(await replayAll(log), [...recordsOfCommit(1), ...recordsOfCommit(2)]);
});
