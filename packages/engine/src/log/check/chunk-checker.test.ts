// The thread and the serving thread find the same damage in a log, in many places; also with threads that die
// or are closed at work.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDisk } from '../../disk/real.ts';
import type { LogFinding } from '../chunk/chunk.ts';
import { frameOf, type Replayed, recordsOfCommit, replayAll } from '../feed/history.testing.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';
import type { CheckerOptions } from './chunk-checker.ts';

const HERE: CheckerOptions = { threadFrom: Number.POSITIVE_INFINITY };
const BESIDE: CheckerOptions = { threadFrom: 0 };

interface Outcome {
  readonly findings: readonly LogFinding[];
  readonly records: readonly Replayed[];
  /** Feeds from several commits on: marks tell where they begin. */
  readonly feeds: readonly number[][];
}

for (const version of [1, 2, 3] as const) {
  let folder: string;
  const options: LogOptions = {
    ...{ chunkBytes: 60_000, cacheBytes: 0, ballastBytes: 0 },
    packing: { version, sampleBytes: 8_000, from: 2_000, threadFrom: Number.POSITIVE_INFINITY },
  };

  /** What an opened log finds, and gives out afterwards. */
  async function outcome(checking: CheckerOptions): Promise<Outcome> {
    const disk = await openDisk(folder);
    const findings: LogFinding[] = [];
    const log = await DocumentLog.open(disk, {
      ...{ ...options, checking },
      onFinding: (finding) => void findings.push(finding),
    });
    try {
      assert.ok([...log.sharedChunks()].some(({ isIntact }) => !isIntact));
      await log.check();
      const bad = new Set(findings.map(({ chunk }) => chunk));
      for (const { number, isIntact } of log.sharedChunks()) assert.equal(isIntact, !bad.has(number));
      const feeds: number[][] = [];
      for (let commit = 0; commit < log.lastCommit; commit += 7) {
        const { records } = await log.feed({ commit, item: 0 }, log.lastCommit, 100_000);
        feeds.push(records.map(({ seqNo }) => seqNo));
      }
      return { findings, records: await replayAll(log), feeds };
    } finally {
      await log.close();
    }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-check-'));
    const disk = await openDisk(folder);
    const log = await DocumentLog.open(disk, options);
    for (let commit = 1; log.chunks().length < 4; commit++) {
      const records = Array.from({ length: 12 }, () => recordsOfCommit(commit)).flat();
      await log.append([frameOf(log, commit, records)[0]]);
    }
    if (version > 1) assert.ok(log.storedShare < 0.9, 'it is packed');
    await log.close();
  });
  after(() => rm(folder, { recursive: true }));

  test(`version ${version}: a whole log is found whole by the thread`, async () => {
    const here = await outcome(HERE);
    assert.deepEqual(here.findings, []);
    assert.deepEqual(await outcome(BESIDE), here);
    // The thread was asked: one that takes all for damaged has it read again here, one that does not is
    // believed.
    const code =
      "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage(";
    assert.deepEqual(await outcome({ ...BESIDE, thread: new URL(`${code}{}));`) }), here);
    const told = '{ marks: { commits: [0], offsets: [40_000], last: 0 } }';
    const believed = await outcome({ ...BESIDE, thread: new URL(`${code}${told}));`) });
    assert.deepEqual(believed.records, here.records);
    assert.notDeepEqual(believed.feeds, here.feeds);
  });

  test(`version ${version}: damage is told as it is without a thread, and by one that dies`, async () => {
    const name = join(folder, 'log', '00000002.log');
    const whole = await readFile(name);
    const dies = new URL('data:text/javascript,process.exit(1)');
    let told = 0;
    for (const share of [0.01, 0.2, 0.5, 0.77, 0.999]) {
      const bytes = Uint8Array.from(whole);
      bytes.fill(0x55, Math.floor(bytes.length * share), Math.floor(bytes.length * share) + 40);
      await writeFile(name, bytes);
      const here = await outcome(HERE);
      assert.deepEqual(await outcome(BESIDE), here, `at ${share}`);
      assert.deepEqual(await outcome({ ...BESIDE, thread: dies }), here, `at ${share}`);
      if (here.findings.length > 0) told++;
    }
    await writeFile(name, whole.subarray(0, whole.length - 100));
    const cut = await outcome(HERE);
    assert.ok(cut.findings.length > 0);
    assert.deepEqual(await outcome(BESIDE), cut);
    await writeFile(name, whole);
    assert.ok(told >= 4, `${told} of 5`);
  });

  test(`version ${version}: a log is closed while the thread is at work`, async () => {
    const disk = await openDisk(folder);
    const log = await DocumentLog.open(disk, { ...options, checking: BESIDE });
    const checking = log.check();
    await log.close();
    await checking;
    assert.deepEqual((await outcome(BESIDE)).findings, []);
  });
}
