// Bytes that a start has not read are checked before they are given out, and no more than those.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import type { LogFinding } from '../chunk/chunk.ts';
import { frameOf, readText, recordsOfCommit } from '../feed/history.testing.ts';
import { FrameChecksum, isIntactFrame, sealFrame } from '../format/format.ts';
import type { LogPointer } from '../format/record.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';

/** Bytes of a chunk lie as they are: they are damaged at places of frames. */
const SMALL: LogOptions = {
  ...{ chunkBytes: 3_000, slabBytes: 2_048, cacheBytes: 10_000, ballastBytes: 0, retryMs: 0 },
  packing: { version: 1 },
};

test('before a chunk is checked a read checks its own frame, and no damage is given out', async () => {
  const records = Array.from({ length: 15 }, (_, at) => recordsOfCommit(at + 1)).flat();
  const texts = records.flatMap(({ kind, source }) => (kind === 'index' ? [source] : []));
  let hits = 0;
  for (let victim = 0; victim < texts.length; victim++) {
    const disk = new SimulatedDisk();
    const before = await DocumentLog.open(disk, SMALL);
    const pointers: LogPointer[] = [];
    for (let commit = 1; commit <= 15; commit++) {
      const [frame, made] = frameOf(before, commit, recordsOfCommit(commit));
      await before.append([frame]);
      pointers.push(...made);
    }
    const newest = before.chunks().at(-1)!.number;
    await before.close();
    const hit = pointers[victim]!;
    // The newest chunk is read by the start itself.
    if (hit.chunk === newest) continue;
    hits++;
    disk.damage(`log/0000000${hit.chunk}.log`, hit.offset);
    const found: LogFinding[] = [];
    const log = await DocumentLog.open(disk, { ...SMALL, onFinding: (finding) => found.push(finding) });
    let refused = 0;
    for (const [i, pointer] of pointers.entries()) {
      try {
        assert.equal(readText(log, pointer), texts[i]);
      } catch (error) {
        // Others of the same frame are refused with it.
        assert.match((error as Error).message, /is damaged/);
        assert.equal(pointer.chunk, hit.chunk);
        refused++;
      }
      if (i < victim && refused === 0) assert.deepEqual(found, [], 'other frames are not looked at');
    }
    assert.throws(() => readText(log, hit), /is damaged/);
    assert.deepEqual(
      found.map(({ chunk, kind }) => [chunk, kind]),
      [[hit.chunk, 'damaged']],
    );
    await log.close();
  }
  assert.ok(hits > texts.length / 2, `${hits} of ${texts.length}`);
});

test('a frame that is read in parts is whole where all of it is, and nowhere else', () => {
  const frame = Uint8Array.from({ length: 1_000 }, (_, i) => (i * 7_919) & 0xff);
  const place = { offset: 64, appendStart: 64, records: 3, commit: 9, moved: false, chunk: 1 };
  sealFrame(frame, place);
  const isRight = (step: number): boolean => {
    const sum = new FrameChecksum();
    for (let from = 0; from < frame.length; from += step) sum.add(frame.subarray(from, from + step));
    return sum.isIntact;
  };
  for (const step of [40, 64, 333, 999, 1_000, 5_000]) {
    assert.equal(isRight(step), true);
    for (const at of [4, 9, 41, 500, 999]) {
      frame[at]! ^= 16;
      assert.equal(isRight(step), false, `${at} by ${step}`);
      assert.equal(isIntactFrame(frame), false);
      frame[at]! ^= 16;
    }
  }
});
