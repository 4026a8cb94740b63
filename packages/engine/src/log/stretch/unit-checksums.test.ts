// Bits flip in a log that is open and was checked: what lies in a damaged unit is refused by file and offset,
// and everything else is read. Nothing wrong is ever given out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import type { EngineError } from '../../errors.ts';
import type { LogFinding } from '../chunk/chunk.ts';
import { frameOf, readText, recordsOfCommit } from '../feed/history.testing.ts';
import type { LogPointer } from '../format/record.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';
import { UNIT } from '../packed/word-packing.ts';
import { runsCodec } from './codec.testing.ts';
import { firstStretch } from './walk-stretches.ts';

const COMMITS = 60;
const NAME = 'log/00000001.log';
const RAW: LogOptions = {
  ...{ chunkBytes: 1 << 20, slabBytes: 2_048, ballastBytes: 0 },
  packing: { threadFrom: Number.POSITIVE_INFINITY, preallocated: 0 },
};
const PACKED: LogOptions = {
  ...RAW,
  packing: { ...RAW.packing, codec: runsCodec(), sampleBytes: 700, from: 0 },
};

interface Written {
  readonly log: DocumentLog;
  readonly disk: SimulatedDisk;
  readonly pointers: readonly LogPointer[];
  readonly texts: readonly string[];
}

/** Appends of one commit and of many, so that units of all lengths come about; opened again and checked. */
async function written(options: LogOptions): Promise<Written> {
  const disk = new SimulatedDisk();
  const before = await DocumentLog.open(disk, options);
  const pointers: LogPointer[] = [];
  const texts: string[] = [];
  for (let commit = 1; commit <= COMMITS; ) {
    const many = commit % 3 === 0 ? 14 : 1;
    const frames = Array.from({ length: many }, (_, i) => {
      const records = recordsOfCommit(commit + i);
      const [frame, made] = frameOf(before, commit + i, records);
      pointers.push(...made);
      texts.push(...records.flatMap(({ kind, source }) => (kind === 'index' ? [source] : [])));
      return frame;
    });
    await before.append(frames);
    commit += many;
  }
  await before.close();
  const log = await DocumentLog.open(disk, options);
  await log.check();
  return { log, disk, pointers, texts };
}

/** Reads everything; returns the documents that are refused, and the ranges of the file that are named. */
function readEverything({ log, pointers, texts }: Written): { refused: LogPointer[]; named: Set<string> } {
  const refused: LogPointer[] = [];
  const named = new Set<string>();
  for (const [i, pointer] of pointers.entries()) {
    try {
      assert.equal(readText(log, pointer), texts[i]);
      const into = new Uint8Array(pointer.length);
      log.copy(pointer.chunk, pointer.offset, pointer.length, into, 0);
      assert.equal(new TextDecoder().decode(into), texts[i]);
    } catch (error) {
      const { type, status, message } = error as EngineError;
      assert.deepEqual([type, status], ['corrupt_index_exception', 500], message);
      assert.match(
        message,
        /a stored document is damaged: \[log\/00000001\.log\], \d+ bytes at \d+ of the file/,
      );
      named.add(/\d+ bytes at \d+/.exec(message)![0]);
      refused.push(pointer);
    }
  }
  return { refused, named };
}

for (const [what, options] of [
  ['raw', RAW],
  ['packed', PACKED],
] as const)
  for (const cacheBytes of [0, 1 << 20])
    test(`${what}, ${cacheBytes} bytes of cache: a flipped bit costs one unit and no more`, async () => {
      let tried = 0;
      let hits = 0;
      const { size } = await (async () => {
        const { disk, log } = await written({ ...options, cacheBytes });
        await log.close();
        return { size: (await disk.read(NAME)).length };
      })();
      // The last step reaches another offset of the head of a stretch in each run over the file.
      for (let at = 60; at < size; at += 397) {
        const all = await written({ ...options, cacheBytes });
        const before = await all.disk.read(NAME);
        all.disk.damage(NAME, at, at % 8);
        assert.notDeepEqual(await all.disk.read(NAME), before);
        const { refused, named } = readEverything(all);
        tried++;
        if (refused.length === 0) continue;
        hits++;
        assert.equal(named.size, 1, 'one unit is damaged');
        const [length, place] = [...named][0]!.match(/\d+/g)!.map(Number) as [number, number];
        assert.ok(place <= at && at < place + length, `${[...named][0]} does not have byte ${at}`);
        const bounds = refused.map(({ offset, length: bytes }) => [offset, offset + bytes] as const);
        const ends = bounds.map(([, end]) => end).sort((a, b) => a - b);
        const starts = bounds.map(([start]) => start).sort((a, b) => b - a);
        assert.ok(starts[0]! - ends[0]! <= UNIT, 'all of them reach into one unit');
        await all.log.close();
      }
      assert.ok(hits > tried / 2, `${hits} of ${tried}`);
    });

test('a chunk of an older version is not appended to: the next commit begins one with checksums', async () => {
  for (const version of [1, 2] as const) {
    const disk = new SimulatedDisk();
    const old = await DocumentLog.open(disk, { ...RAW, packing: { ...RAW.packing, version } });
    await old.append([frameOf(old, 1, recordsOfCommit(1))[0]]);
    await old.close();
    for (const commit of [2, 3]) {
      const log = await DocumentLog.open(disk, RAW);
      await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
      // A batch that is given up changes nothing about that.
      log.beginFrame(commit + 1);
      log.reset();
      await log.close();
      assert.deepEqual(
        log.chunks().map(({ number, firstCommit, lastCommit }) => [number, firstCommit, lastCommit]),
        [
          [1, 1, 1],
          [2, 2, commit],
        ],
      );
    }
    const file = await disk.open('log/00000002.log');
    assert.equal(firstStretch(file, 2, 48, file.size())?.isSummed, true);
  }
});

test('damage that reads meet is reported once for each unit', async () => {
  const disk = new SimulatedDisk();
  const found: string[] = [];
  const options = { ...RAW, cacheBytes: 0, onFinding: ({ reason }: LogFinding) => void found.push(reason) };
  const log = await DocumentLog.open(disk, options);
  const [frame, pointers] = frameOf(log, 1, Array.from({ length: 20 }, (_, i) => recordsOfCommit(i)).flat());
  await log.append([frame]);
  await log.close();
  const again = await DocumentLog.open(disk, options);
  disk.damage(NAME, 2_000);
  disk.damage(NAME, 7_000);
  for (let round = 0; round < 3; round++)
    for (const pointer of pointers) {
      try {
        readText(again, pointer);
      } catch {}
    }
  assert.equal(found.length, 2, found.join('\n'));
  for (const reason of found) assert.match(reason, /^cannot be read: \d+ bytes at \d+ of the file/);
  await again.close();
});
