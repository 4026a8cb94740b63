// Every acknowledged commit survives, and nothing half-written does, whatever fails at whatever moment: a
// scripted life on the simulated disk, once for every operation of it and every kind of fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampled } from '../../test/sampled.ts';
import { DiskFailure, DiskFullError, isOutOfRoom } from '../disk/failure.ts';
import { type FaultKind, PowerCut, SimulatedDisk } from '../disk/simulated.ts';
import {
  appendsOf,
  entryOf,
  frameOf,
  type Replayed,
  recordsOfCommit,
  replayAll,
} from './feed/history.testing.ts';
import { DocumentLog } from './log.ts';
import type { LogOptions } from './log-options.ts';
import { runsCodec } from './stretch/codec.testing.ts';

/** More by the environment, for long campaigns. */
const SEEDS = Number(process.env['OCTAVO_CRASH_SEEDS'] ?? 2);
const PLAIN: LogOptions = {
  chunkBytes: 2_500,
  slabBytes: 2_048,
  cacheBytes: 1 << 20,
  ballastBytes: 1_500,
  retryMs: 0,
  packing: { version: 1 },
};
/** Words come after the first append or two of a chunk, and serve the next ones. */
const PACKED: LogOptions = {
  ...PLAIN,
  packing: {
    codec: runsCodec(),
    sampleBytes: 700,
    from: 0,
    threadFrom: Number.POSITIVE_INFINITY,
  },
};
/** Appends are written over zeros, and some of them past those. */
const AHEAD: LogOptions = {
  ...PLAIN,
  packing: { ...PACKED.packing, from: 900, preallocated: 700 },
};
/** A start reads no more than the last append. */
const BRIEF: LogOptions = { ...PLAIN, scanBelow: 0 };
let OPTIONS: LogOptions;
/** Of three commits two are packed before their turn to be written comes. */
let PACKS_AHEAD = false;

/** What a life has been told. */
class Ledger {
  /** Acknowledged; given up (their documents need not be there any more). */
  readonly acked: Set<number> = new Set();
  readonly dead: Set<number> = new Set();
  /** Refused: must never be there. */
  readonly refused: Set<number> = new Set();
  next = 1;

  /** Everything in the log is either acknowledged or was under way; nothing refused, nothing in part. */
  check(told: readonly Replayed[], when: string): void {
    const commits = Map.groupBy(told, ({ commit }) => commit);
    for (const commit of this.acked) {
      const wanted = recordsOfCommit(commit, this.isDelete(commit)).filter(
        ({ seqNo }) => !this.dead.has(seqNo),
      );
      const found = (commits.get(commit) ?? []).filter(({ seqNo }) => !this.dead.has(seqNo));
      assert.deepEqual(found, wanted, `${when}: acknowledged commit ${commit}`);
    }
    for (const [commit, records] of commits) {
      assert.ok(!this.refused.has(commit), `${when}: refused commit ${commit} is there`);
      if (this.acked.has(commit)) continue;
      assert.ok(commit < this.next, `${when}: commit ${commit} was never made`);
      assert.deepEqual(
        records,
        recordsOfCommit(commit, this.isDelete(commit)),
        `${when}: half of commit ${commit}`,
      );
    }
  }

  isDelete(commit: number): boolean {
    return commit % 6 === 5;
  }
}

/** Appends some frames, in one call but for those that are packed ahead; refused ones are rolled back. */
async function append(log: DocumentLog, ledger: Ledger, count: number): Promise<void> {
  const commits = Array.from({ length: count }, (_, at) => ledger.next + at);
  ledger.next += count;
  const frames = commits.map(
    (commit) => frameOf(log, commit, recordsOfCommit(commit, ledger.isDelete(commit)))[0],
  );
  try {
    for (const group of appendsOf(log, frames, ({ commit }) => PACKS_AHEAD && commit % 3 !== 0)) {
      await log.append(group);
      for (const { commit } of group) ledger.acked.add(commit);
    }
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error;
    for (const commit of commits) if (!ledger.acked.has(commit)) ledger.refused.add(commit);
    log.reset();
  }
}

/**
 * Opens, appends, rewrites and removes a chunk, closes, opens again, appends. Ends early with what the disk
 * throws.
 */
async function life(disk: SimulatedDisk, ledger: Ledger): Promise<void> {
  let log = await DocumentLog.open(disk, OPTIONS);
  for (const count of [1, 1, 3, 1, 2, 1]) await append(log, ledger, count);
  await rewrite(log, ledger);
  for (const count of [1, 4, 1]) await append(log, ledger, count);
  await log.close();
  log = await DocumentLog.open(disk, OPTIONS);
  for (const count of [1, 2]) await append(log, ledger, count);
  await rewrite(log, ledger);
  await append(log, ledger, 1);
  await log.close();
}

/** Keeps every second record of the oldest chunk. */
async function rewrite(log: DocumentLog, ledger: Ledger): Promise<void> {
  const oldest = log.chunks()[0]!;
  if (log.chunks().length === 1) return;
  const records = (await replayAll(log)).filter(
    ({ commit }) => commit >= oldest.firstCommit && commit <= oldest.lastCommit,
  );
  const live = records.filter(({ seqNo }) => seqNo % 2 === 0);
  try {
    await log.appendMoved(live.map(entryOf));
  } catch (error) {
    if (error instanceof DiskFullError) return;
    throw error;
  }
  for (const { seqNo } of records) if (seqNo % 2 !== 0) ledger.dead.add(seqNo);
  await log.removeChunk(oldest.number);
}

/** Runs a life to its end or to the first thing that ends a process. */
async function run(disk: SimulatedDisk, ledger: Ledger, fault: FaultKind): Promise<void> {
  try {
    await life(disk, ledger);
  } catch (error) {
    if (error instanceof PowerCut || error instanceof DiskFailure) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    assert.ok(
      (fault === 'eio' && code === 'EIO') || isOutOfRoom(error) || error instanceof DiskFullError,
      String(error),
    );
  }
}

/** Opens the log, checks it, and goes on living in it. */
async function checkAndGoOn(disk: SimulatedDisk, ledger: Ledger, when: string): Promise<void> {
  const log = await DocumentLog.open(disk, OPTIONS);
  assert.deepEqual(
    log.findings.filter(({ kind }) => kind !== 'torn'),
    [],
    when,
  );
  ledger.check(await replayAll(log), when);
  await log.verify(({ reason, chunk, offset }) => assert.fail(`${when}: ${reason} (${chunk}, ${offset})`));
  // What was under way and is there now counts from here on.
  for (const { commit } of await replayAll(log)) ledger.acked.add(commit);
  ledger.next = Math.max(ledger.next, log.lastCommit + 1);
  for (const count of [1, 2]) await append(log, ledger, count);
  ledger.check(await replayAll(log), when);
  await log.close();
}

async function operationsOfALife(): Promise<string[]> {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  await life(disk, ledger);
  assert.equal(ledger.refused.size, 0);
  assert.ok(disk.operations.some((name) => name.startsWith('rename')));
  assert.ok(disk.operations.some((name) => name.startsWith('remove log/0')));
  return disk.operations;
}

for (const [format, options, packsAhead = false] of [
  ['plain', PLAIN],
  ['packed', PACKED],
  ['brief', BRIEF],
  ['packed, brief', { ...PACKED, scanBelow: 0 }],
  ['packed ahead', PACKED, true],
  ['packed ahead, brief', { ...PACKED, scanBelow: 0 }, true],
  ['zeros ahead', AHEAD],
  ['zeros ahead, brief', { ...AHEAD, scanBelow: 0 }],
] as const) {
  const its = (name: string, run: () => Promise<void>) =>
    test(`${format}: ${name}`, async () => {
      OPTIONS = options;
      PACKS_AHEAD = packsAhead;
      await run();
    });

  its('power cut at every operation, several seeds, a second cut after the restart', async () => {
    const operations = await operationsOfALife();
    for (const at of sampled(operations.length, 3))
      for (let seed = 0; seed < SEEDS; seed++) {
        const when = `cut at ${at} (${operations[at]}), seed ${seed}`;
        const disk = new SimulatedDisk({ faults: { [at]: 'crash' } });
        const ledger = new Ledger();
        await run(disk, ledger, 'crash');
        const after = disk.crash(seed * 7_919 + at);
        await checkAndGoOn(after, ledger, when);
        if (seed === 0) await checkAndGoOn(after.crash(at), ledger, `${when}, cut again`);
      }
  });

  its('power cut during the restart after a power cut', async () => {
    const operations = await operationsOfALife();
    for (const at of sampled(operations.length, 9))
      for (let second = 0; second < 4; second++) {
        const ledger = new Ledger();
        const disk = new SimulatedDisk({ faults: { [at]: 'crash' } });
        await run(disk, ledger, 'crash');
        const restarting = disk.crash(at + 1, { faults: { [second]: 'crash' } });
        await assert.rejects(checkAndGoOn(restarting, ledger, 'restart'), /power fails/);
        await checkAndGoOn(
          restarting.crash(second),
          ledger,
          `cut at ${at}, then at ${second} of the restart`,
        );
      }
  });

  for (const fault of ['eio', 'enospc', 'short'] as const)
    its(`${fault} at every operation, then a restart with and without a power cut`, async () => {
      const operations = await operationsOfALife();
      for (const at of sampled(operations.length, 3)) {
        const when = `${fault} at ${at} (${operations[at]})`;
        for (let seed = 0; seed < SEEDS - 1; seed++) {
          const disk = new SimulatedDisk({ faults: { [at]: fault }, seed });
          const ledger = new Ledger();
          await run(disk, ledger, fault);
          if (seed === 0) await checkAndGoOn(disk, ledger, `${when}, process started again`);
          await checkAndGoOn(disk.crash(seed), ledger, `${when}, seed ${seed}`);
        }
      }
    });

  its('a batch is refused, and the power fails soon after', async () => {
    const operations = await operationsOfALife();
    for (const at of sampled(operations.length, 2))
      for (let soon = 1; soon < 6; soon++) {
        if (!operations[at]!.startsWith('write log/0')) continue;
        const disk = new SimulatedDisk({ faults: { [at]: 'short', [at + soon]: 'crash' } });
        const ledger = new Ledger();
        await run(disk, ledger, 'short');
        await checkAndGoOn(disk.crash(at + soon), ledger, `short at ${at}, cut ${soon} later`);
      }
  });

  its('a disk that is full at every operation from some point on', async () => {
    const operations = await operationsOfALife();
    const full = new SimulatedDisk();
    await life(full, new Ledger());
    for (let capacity = 0; capacity < full.used() + 4_000; capacity += 701) {
      const disk = new SimulatedDisk({ capacity });
      const ledger = new Ledger();
      await run(disk, ledger, 'enospc');
      disk.capacity = Number.POSITIVE_INFINITY;
      await checkAndGoOn(disk, ledger, `capacity ${capacity}`);
      await checkAndGoOn(disk.crash(capacity), ledger, `capacity ${capacity}, cut`);
    }
    assert.ok(operations.length > 60);
  });
}
