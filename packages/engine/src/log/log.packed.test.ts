// A packed chunk torn, cut short or changed anywhere in its file: acknowledged records are there or reported
// as lost, and bytes that were not written are never given out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskFullError } from '../disk/failure.ts';
import { SimulatedDisk } from '../disk/simulated.ts';
import type { LogFinding } from './chunk/chunk.ts';
import { frameOf, type Replayed, recordsOfCommit, replayAll } from './feed/history.testing.ts';
import { CHUNK_HEADER } from './format/format.ts';
import { DocumentLog } from './log.ts';
import type { LogOptions } from './log-options.ts';
import { runsCodec } from './stretch/codec.testing.ts';
import { STRETCH_MAGIC } from './stretch/stretch.ts';

const OPTIONS: LogOptions = {
  ...{ chunkBytes: 6_000, slabBytes: 2_048, cacheBytes: 0, ballastBytes: 0, retryMs: 0 },
  packing: {
    codec: runsCodec(),
    sampleBytes: 900,
    from: 0,
    threadFrom: Number.POSITIVE_INFINITY,
  },
};
const EVERY = process.env['OCTAVO_EVERY_BYTE'] === '1';
const NEWEST = 'log/00000002.log';

async function append(log: DocumentLog, commits: readonly number[]): Promise<void> {
  await log.append(commits.map((commit) => frameOf(log, commit, recordsOfCommit(commit))[0]));
}

/** Two chunks of packed stretches; the last append has three commits. */
async function written(): Promise<{ disk: SimulatedDisk; before: number; last: number[] }> {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, OPTIONS);
  let commit = 0;
  while (log.chunks().length < 2 || log.chunks()[1]!.bytes < 1_500) await append(log, [++commit]);
  const before = (await disk.read(NEWEST)).length;
  const last = [++commit, ++commit, ++commit];
  await append(log, last);
  assert.equal(log.chunks().length, 2);
  for (const { bytes, stored } of log.chunks()) assert.ok(stored < bytes, `${stored} of ${bytes}`);
  await log.close();
  return { disk, before, last };
}

/** The same files, one of them changed. */
async function changed(disk: SimulatedDisk, name: string, bytes: Uint8Array): Promise<SimulatedDisk> {
  const copy = new SimulatedDisk();
  for (const file of await disk.list('log')) {
    const made = await copy.open(`log/${file}`, { create: true });
    await made.write([`log/${file}` === name ? bytes : await disk.read(`log/${file}`)], 0);
    await made.sync();
  }
  await copy.syncFolder('log');
  return copy;
}

/**
 * Every place in the head of a stretch, and some of the others; all of them where the environment says so.
 */
function* placesOf(bytes: Uint8Array, from: number): Generator<number> {
  let head = -100;
  for (let at = from; at < bytes.length; at++) {
    if (STRETCH_MAGIC.every((byte, i) => bytes[at + i] === byte)) head = at;
    if (EVERY || at < CHUNK_HEADER || at - head < 44 || at % 11 === 0) yield at;
  }
}

function allUpTo(commit: number): Replayed[] {
  return Array.from({ length: commit }, (_, at) => recordsOfCommit(at + 1)).flat();
}

test('callers with little each do not wait for packing, whatever comes together; with one who sends much they do', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, { ...OPTIONS, chunkBytes: 1 << 20 });
  let commit = 0;
  const appended = async (...waits: boolean[]): Promise<{ bytes: number; stored: number }> => {
    const [before] = log.chunks();
    const [bytes, stored] = [before!.bytes, before!.stored];
    const frames = waits.map((each) => {
      commit++;
      return frameOf(log, commit, recordsOfCommit(commit), each)[0];
    });
    await log.append(frames);
    const [after] = log.chunks();
    return { bytes: after!.bytes - bytes, stored: after!.stored - stored };
  };
  while (commit < 20) await appended(true);
  for (let i = 0; i < 20; i++) {
    const small = await appended(false, false, false);
    assert.ok(small.stored > small.bytes, `${small.stored} of ${small.bytes}`);
    const large = await appended(false, true, false);
    assert.ok(large.stored < large.bytes, `${large.stored} of ${large.bytes}`);
  }
  assert.deepEqual(await replayAll(log), allUpTo(commit));
  await log.close();
  const again = await DocumentLog.open(disk, OPTIONS);
  assert.deepEqual(await replayAll(again), allUpTo(commit));
  await again.close();
});

test('a frame that is being packed is an append of its own, in an existing chunk and as the first of a new one', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, OPTIONS);
  let commit = 0;
  while (commit < 5) await append(log, [++commit]);
  let firsts = 0;
  while (firsts === 0) {
    const frames = [1, 2, 3].map(() => frameOf(log, ++commit, recordsOfCommit(commit))[0]);
    for (const frame of frames.slice(1)) log.startPacking(frame);
    assert.deepEqual(
      frames.map(({ pendingPack }) => pendingPack !== undefined),
      [false, true, true],
    );
    await assert.rejects(log.append(frames), /appended alone/);
    for (const frame of frames) await log.append([frame]);
    firsts += frames.filter(
      ({ offset, pendingPack }) => offset === CHUNK_HEADER && pendingPack !== undefined,
    ).length;
  }
  for (const { bytes, stored } of log.chunks()) assert.ok(stored < bytes, `${stored} of ${bytes}`);
  assert.deepEqual(await replayAll(log), allUpTo(commit));
  await log.close();
  const again = await DocumentLog.open(disk, OPTIONS);
  assert.deepEqual(again.findings, []);
  assert.deepEqual(await replayAll(again), allUpTo(commit));
  await again.close();
});

test('the last append is torn at every byte: it is cut, whatever else there is stays', async () => {
  const { disk, before, last } = await written();
  const whole = await disk.read(NEWEST);
  for (const at of placesOf(whole, before))
    for (const kind of ['short', 'zeros', 'hole'] as const) {
      const bytes = kind === 'short' ? whole.slice(0, at) : whole.slice();
      if (kind !== 'short') bytes.fill(0, at, kind === 'hole' ? at + 40 : bytes.length);
      const torn = await changed(disk, NEWEST, bytes);
      const when = `${kind} at ${at}`;
      let log = await DocumentLog.open(torn, OPTIONS);
      const kept = log.lastCommit;
      assert.ok(kept >= last[0]! - 1 && kept <= last[2]!, `${when}: ${kept}`);
      assert.deepEqual(
        log.findings.map((finding) => finding.kind),
        // Of an append of which nothing but the length got through nobody can tell: zeros are written ahead.
        kept === last[2] || (kind !== 'hole' && at === before) ? [] : ['torn'],
        when,
      );
      // What the start has left must be there after a power cut.
      await append(log, [kept + 1]);
      await log.close();
      const again = torn.crash(at);
      log = await DocumentLog.open(again, OPTIONS);
      assert.deepEqual(log.findings, [], when);
      assert.deepEqual(await replayAll(log), allUpTo(kept + 1), when);
      await log.verify(({ reason }) => assert.fail(`${when}: ${reason}`));
      await append(log, [kept + 2, kept + 3]);
      assert.deepEqual(await replayAll(log), allUpTo(kept + 3), when);
      await log.close();
    }
});

test('the disk is full at any byte of an append: it is refused whole, and the next one is there', async () => {
  const { disk, last } = await written();
  const next = last[2]! + 1;
  const files = async (of: SimulatedDisk): Promise<Uint8Array[]> =>
    Promise.all((await of.list('log')).sort().map((name) => of.read(`log/${name}`)));
  let refused = 0;
  for (let room = 0; ; room += 7) {
    const full = await changed(disk, '', new Uint8Array(0));
    const log = await DocumentLog.open(full, OPTIONS);
    const before = await files(full);
    full.capacity = full.used() + room;
    const appended = append(log, [next, next + 1]);
    const isRefused = await appended.then(
      () => false,
      (error: unknown) => error instanceof DiskFullError,
    );
    if (!isRefused) break;
    refused++;
    assert.deepEqual(await files(full), before, `room for ${room}`);
    full.capacity = Number.POSITIVE_INFINITY;
    log.reset();
    await append(log, [next, next + 1]);
    assert.deepEqual(await replayAll(log), allUpTo(next + 1));
    const again = await DocumentLog.open(full.crash(room), OPTIONS);
    assert.deepEqual(again.findings, []);
    assert.deepEqual(await replayAll(again), allUpTo(next + 1));
  }
  assert.ok(refused > 20, `${refused} refused`);
});

test('a byte is changed anywhere: it is told and nothing wrong is given out, or it does no harm', async () => {
  const { disk } = await written();
  let harmless = 0;
  let told = 0;
  for (const file of (await disk.list('log')).sort()) {
    const name = `log/${file}`;
    const whole = await disk.read(name);
    for (const at of placesOf(whole, 0)) {
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (at % 8);
      const found: LogFinding[] = [];
      const damaged = await changed(disk, name, bytes);
      const onFinding = (finding: LogFinding) => void found.push(finding);
      let log: DocumentLog;
      try {
        log = await DocumentLog.open(damaged, { ...OPTIONS, onFinding });
      } catch (error) {
        assert.match(String(error), /version/, `${name} at ${at}`);
        continue;
      }
      await log.check();
      found.push(...log.findings);
      const wanted = new Map(allUpTo(100).map((record) => [record.seqNo, record]));
      const records = await replayAll(log);
      for (const record of records) assert.deepEqual(record, wanted.get(record.seqNo), `${name} at ${at}`);
      const isWhole = records.length === allUpTo(log.lastCommit).length;
      if (found.length > 0) told++;
      else {
        harmless++;
        assert.ok(isWhole, `${name} at ${at}: something is missing, and nothing was said`);
      }
      await log.close();
    }
  }
  assert.ok(told > harmless, `${told} told, ${harmless} harmless`);
});

test('one copy of the words is damaged: the other one serves', async () => {
  const { disk } = await written();
  const name = 'log/00000001.log';
  const whole = Buffer.from(await disk.read(name));
  const places: number[] = [];
  for (let at = whole.indexOf('words'); at >= 0; at = whole.indexOf('words', at + 45)) places.push(at);
  assert.equal(places.length, 2);
  for (const place of places) {
    const bytes = Uint8Array.from(whole);
    bytes[place]! ^= 4;
    const log = await DocumentLog.open(await changed(disk, name, bytes), OPTIONS);
    await log.check();
    assert.deepEqual(await replayAll(log), allUpTo(log.lastCommit));
    await log.close();
  }
});
