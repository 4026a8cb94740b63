// The feed returns each change once and in order, from any position, in pages of any size, from memory as
// from files, and after chunks were rewritten.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';
import type { FeedPosition, FeedRecord } from './feed-page.ts';
import { entryOf, frameOf, type Replayed, recordsOfCommit } from './history.testing.ts';

const END = Number.POSITIVE_INFINITY;
const SMALL: LogOptions = {
  chunkBytes: 3_000,
  slabBytes: 2_048,
  cacheBytes: 4_000,
  ballastBytes: 0,
  retryMs: 0,
};

function known(records: readonly Replayed[]): FeedRecord[] {
  return records
    .map(({ commit, indexNumber, kind, seqNo, version, id, type }) => {
      return { commit, indexNumber, kind, seqNo, version, id, type };
    })
    .sort((a, b) => a.commit - b.commit || a.seqNo - b.seqNo || a.indexNumber - b.indexNumber);
}

async function walk(log: DocumentLog, from: FeedPosition, limit: number): Promise<FeedRecord[]> {
  const told: FeedRecord[] = [];
  for (let after = from; after.commit < log.lastCommit || after.item !== END; ) {
    const page = await log.feed(after, log.lastCommit, limit);
    const moved = page.next.commit - after.commit || page.next.item - after.item;
    assert.ok(moved > 0, `the feed stands still at ${after.commit}, ${after.item}`);
    told.push(...page.records);
    after = page.next;
  }
  return told;
}

const behind = (records: readonly FeedRecord[], { commit, item }: FeedPosition) =>
  records.filter((record) => record.commit > commit || (record.commit === commit && record.seqNo > item));

async function write(log: DocumentLog, commits: number): Promise<Replayed[]> {
  const told: Replayed[] = [];
  for (let commit = 1; commit <= commits; commit++) {
    // Two indices share sequence numbers, and one commit is larger than most pages.
    const records = recordsOfCommit(commit);
    const twins = records.map((record) => ({ ...record, indexNumber: record.indexNumber + 10 }));
    const large = commit === 7 ? Array.from({ length: 60 }, (_, at) => at).map((at) => large7(at)) : [];
    const all = [...twins, ...records, ...large];
    told.push(...all);
    await log.append([frameOf(log, commit, all)[0]]);
  }
  return told;
}

function large7(at: number): Replayed {
  return { ...recordsOfCommit(7)[0]!, kind: 'delete', source: '', seqNo: 7_000 + at, id: `large-${at}` };
}

test('pages of any size from any place, from memory and from files, tell each change once', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  const all = known(await write(log, 40));
  assert.ok(log.chunks().length > 8);
  const again = await DocumentLog.open(disk, SMALL);
  const memory = await DocumentLog.open(new SimulatedDisk(), { ...SMALL, cacheBytes: 1 << 20 });
  await write(memory, 40);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(log, again, memory),
      fc.nat(40),
      fc.oneof(fc.constant(END), fc.nat(420), fc.integer({ min: 6_990, max: 7_070 })),
      fc.constantFrom(1, 2, 3, 10, 59, 1_000),
      async (which, commit, item, limit) => {
        const from = { commit, item };
        assert.deepEqual(await walk(which, from, limit), behind(all, from));
      },
    ),
    { numRuns: 120 },
  );
});

test('a page ends at the end of a commit wherever it can', async () => {
  const log = await DocumentLog.open(new SimulatedDisk(), SMALL);
  await write(log, 20);
  for (let after: FeedPosition = { commit: 0, item: END }; after.commit < 20; ) {
    const page = await log.feed(after, 20, 20);
    if (page.next.item !== END) assert.equal(page.next.commit, 7);
    after = page.next;
  }
});

test('what was rewritten comes in its old place, what was dropped is missing and said to be', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  const told = await write(log, 40);
  const old = log.chunks().slice(0, 5);
  const last = old.at(-1)!.lastCommit;
  const kept = told.filter(
    ({ commit, seqNo, kind }) => commit > last || (kind === 'index' && seqNo % 3 === 0),
  );
  assert.equal(await log.completeFrom(0), 1);
  // As merges do it: index by index, so that several chunks hold parts of the same commits.
  for (const wanted of [0, 1]) {
    const moved = kept.filter(({ commit, indexNumber }) => commit <= last && indexNumber % 2 === wanted);
    await log.appendMoved(moved.map(entryOf));
  }
  const whole = known(told);
  assert.deepEqual(await walk(log, { commit: 0, item: END }, 7), whole, 'while both copies are there');
  for (const { number } of old) await log.removeChunk(number);
  const all = known(kept);
  for (const which of [log, await DocumentLog.open(disk, SMALL)]) {
    for (const commit of [0, 1, 6, 7, 8, 15, last - 1, last, last + 1, 39, 40])
      for (const item of [END, 71])
        assert.deepEqual(await walk(which, { commit, item }, 5), behind(all, { commit, item }));
    assert.equal(await which.completeFrom(0), last + 1);
  }
});

test('chunks that are read are checked, and what is damaged is passed over', async () => {
  const disk = new SimulatedDisk();
  const log = await DocumentLog.open(disk, SMALL);
  const told = await write(log, 20);
  const victim = log.chunks()[1]!;
  await log.close();
  const file = await disk.open(`log/${String(victim.number).padStart(8, '0')}.log`);
  await file.write([new Uint8Array([1, 2, 3])], 200);
  const again = await DocumentLog.open(disk, SMALL);
  const read = await walk(again, { commit: 0, item: END }, 10);
  assert.ok(read.length < told.length);
  assert.ok(read.every(({ commit }) => commit >= 1));
  assert.ok((await again.completeFrom(0)) > victim.firstCommit);
});
