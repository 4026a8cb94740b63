// A large chunk taken over by its last append equals one that was read whole, and what was not read is
// checked before it is given out, beside running appends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import type { LogFinding } from '../chunk/chunk.ts';
import { frameOf, type Replayed, readText, recordsOfCommit, replayAll } from '../feed/history.testing.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import type { LogPointer } from '../format/record.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';

/** One chunk whose bytes lie as they are: they are damaged at places of frames. */
const ALL: LogOptions = {
  chunkBytes: 64 << 20,
  cacheBytes: 10_000,
  ballastBytes: 0,
  packing: { version: 1 },
};
const BRIEF: LogOptions = { ...ALL, scanBelow: 0 };
const FILE = 'log/00000001.log';

/** Appends commits, each by itself; tells where their documents are, and where their frames begin. */
async function write(
  log: DocumentLog,
  from: number,
  to: number,
  recordsOf: (commit: number) => Replayed[] = recordsOfCommit,
): Promise<{ readonly pointers: LogPointer[]; readonly frames: number[] }> {
  const [pointers, frames]: [LogPointer[], number[]] = [[], []];
  for (let commit = from; commit <= to; commit++) {
    const [frame, made] = frameOf(log, commit, recordsOf(commit));
    await log.append([frame]);
    pointers.push(...made);
    frames.push(frame.offset);
  }
  return { pointers, frames };
}

const history = (from: number, to: number): Replayed[] =>
  Array.from({ length: to - from + 1 }, (_, at) => recordsOfCommit(from + at)).flat();
const textsOf = (told: readonly Replayed[]): string[] =>
  told.flatMap(({ kind, source }) => (kind === 'index' ? [source] : []));

async function made(commits: number): Promise<{ disk: SimulatedDisk } & Awaited<ReturnType<typeof write>>> {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, ALL);
  const written = await write(log, 1, commits);
  await log.close();
  return { disk, ...written };
}

test('whole as it is, all of it is there, and appends go on', async () => {
  const { disk } = await made(20);
  const log = await DocumentLog.open(disk, BRIEF);
  assert.deepEqual([log.findings, log.lastCommit], [[], 20]);
  assert.deepEqual(log.chunks(), (await DocumentLog.open(disk, ALL)).chunks());
  const { pointers } = await write(log, 21, 25);
  // What is appended need not be checked: it is found in memory.
  for (const { chunk, offset, length } of pointers)
    assert.notEqual(log.find(chunk, offset, length), undefined);
  const checking = log.check();
  await write(log, 26, 30);
  await checking;
  await write(log, 31, 32);
  assert.deepEqual(await replayAll(log), history(1, 32));
  assert.equal(await log.completeFrom(1), 1);
  await log.close();
  assert.deepEqual(await replayAll(await DocumentLog.open(disk, BRIEF)), history(1, 32));
});

test('damage before the last append is found when it is read, or when all is checked, and no more is lost', async () => {
  for (let victim = 0; victim < 14; victim++)
    for (const checksFirst of [false, true]) {
      const { disk, pointers, frames } = await made(15);
      // Somewhere in the records of a frame.
      disk.damage(FILE, frames[victim]! + 47);
      const found: LogFinding[] = [];
      const log = await DocumentLog.open(disk, { ...BRIEF, onFinding: (finding) => found.push(finding) });
      assert.deepEqual([log.findings, log.lastCommit, found], [[], 15, []]);
      const after = (await write(log, 16, 17)).pointers;
      if (checksFirst) await log.check();
      const texts = textsOf(history(1, 17));
      for (const [i, pointer] of [...pointers, ...after].entries()) {
        const isLost = pointer.offset > frames[victim]! && pointer.offset < frames[victim + 1]!;
        if (isLost) assert.throws(() => readText(log, pointer), /is damaged/);
        else assert.equal(readText(log, pointer), texts[i]);
      }
      await log.check();
      assert.deepEqual(
        found.map(({ kind, offset }) => [kind, offset]),
        [['damaged', frames[victim]!]],
      );
      const told = await replayAll(log);
      assert.deepEqual(
        told,
        history(1, 17).filter(({ commit }) => commit !== victim + 1),
      );
      await log.close();
    }
});

test('where headers do not lead to the end, or the last append is bad, all of it is read', async () => {
  for (const [place, last] of [
    // Length, own offset, and magic of a frame in the middle; the header of the chunk; the last append.
    [(frames: number[]) => frames[7]! + 9, 15],
    [(frames: number[]) => frames[7]! + 12, 15],
    [(frames: number[]) => frames[7]!, 15],
    [() => CHUNK_HEADER - 20, 15],
    [(frames: number[]) => frames[14]! + 3, 14],
    [(frames: number[]) => frames[14]! + 50, 14],
  ] as const) {
    const { disk, frames } = await made(15);
    disk.damage(FILE, place(frames));
    const [brief, all] = [disk.crash(1), disk.crash(1)];
    const log = await DocumentLog.open(brief, BRIEF);
    const other = await DocumentLog.open(all, ALL);
    assert.equal(log.lastCommit, last);
    assert.ok(log.findings.length > 0);
    assert.deepEqual(log.findings, other.findings);
    assert.deepEqual(await replayAll(log), await replayAll(other));
    await write(log, last + 1, last + 2);
    assert.equal((await DocumentLog.open(brief, BRIEF)).lastCommit, last + 2);
  }
});

test('an append of several frames is whole only where each of them is', async () => {
  for (const damaged of [0, 1, 2]) {
    const { disk } = await made(5);
    const log = await DocumentLog.open(disk, ALL);
    const frames = [6, 7, 8].map((commit) => frameOf(log, commit, recordsOfCommit(commit))[0]);
    await log.append(frames);
    await log.close();
    disk.damage(FILE, frames[damaged]!.offset + 50);
    const [brief, all] = [disk.crash(1), disk.crash(1)];
    const [short, other] = [await DocumentLog.open(brief, BRIEF), await DocumentLog.open(all, ALL)];
    assert.ok(other.findings.length > 0);
    assert.deepEqual([short.lastCommit, short.findings], [other.lastCommit, other.findings]);
    assert.deepEqual(await replayAll(short), await replayAll(other));
  }
});

test('a replay begins at a mark, and misses nothing where that is wrong', async () => {
  const disk = new SimulatedDisk();
  const first = await DocumentLog.open(disk, ALL);
  const long = (commit: number): Replayed[] => [
    { ...recordsOfCommit(1)[0]!, commit, seqNo: commit, source: `"${'y'.repeat(40_000 + commit)}"` },
  ];
  const { frames } = await write(first, 1, 40, long);
  await first.close();
  const commitsAfter = async (log: DocumentLog, after: number): Promise<number[]> => {
    const told: number[] = [];
    await log.replay(after, { record: ({ commit }) => void told.push(commit) });
    return told;
  };
  for (const options of [ALL, BRIEF])
    for (let after = 0; after <= 40; after++) {
      const log = await DocumentLog.open(disk, options);
      const wanted = Array.from({ length: 40 - after }, (_, at) => after + 1 + at);
      assert.deepEqual(await commitsAfter(log, after), wanted);
      await log.close();
    }
  // A frame claims to be of an earlier commit than it was written with.
  for (let victim = 1; victim < 39; victim++) {
    const copy = disk.crash(3);
    for (let bit = 0; bit < 6; bit++)
      if (((victim + 1) >> bit) & 1) {
        copy.damage(FILE, frames[victim]! + 24, bit);
        break;
      }
    for (const after of [0, victim - 1, victim, victim + 1]) {
      const log = await DocumentLog.open(copy, BRIEF);
      const wanted = Array.from({ length: 40 - after }, (_, at) => after + 1 + at);
      assert.deepEqual(
        await commitsAfter(log, after),
        wanted.filter((commit) => commit !== victim + 1),
      );
    }
  }
});
