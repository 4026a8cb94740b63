// The log is a list of commits, whatever is written, begun ahead, rolled back, rewritten and opened again:
// random lives against arrays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedDisk } from '../disk/simulated.ts';
import { appendsOf, entryOf, frameOf, type Replayed, readText, replayAll } from './feed/history.testing.ts';
import type { LogPointer } from './format/record.ts';
import { DocumentLog } from './log.ts';
import { runsCodec } from './stretch/codec.testing.ts';
import type { PackerOptions } from './stretch/packer.ts';

const record = fc.record({
  kind: fc.constantFrom('index' as const, 'index' as const, 'delete' as const),
  indexNumber: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  version: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  id: fc.string({ unit: 'grapheme', maxLength: 20 }),
  type: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
  routing: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
  source: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.nat(9_000).map((length) => 'z'.repeat(length)),
  ),
});

const batch = fc.array(fc.array(record, { maxLength: 6 }), { minLength: 1, maxLength: 4 });

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('append' as const), batch }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reset' as const), batch }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reopen' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('rewrite' as const), pick: fc.nat(), keep: fc.nat(7) }),
  },
);

const packings: PackerOptions[] = [
  { version: 1 },
  { version: 2, codec: runsCodec(), sampleBytes: 1_000, from: 0, threadFrom: Number.POSITIVE_INFINITY },
  { version: 3, codec: runsCodec(), sampleBytes: 1_000, from: 0, threadFrom: Number.POSITIVE_INFINITY },
];

test('the log is a list of commits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(600, 4_000, 1 << 20),
      fc.constantFrom(0, 20_000, 1 << 20),
      fc.constantFrom(...packings),
      fc.constantFrom(0, 1, 2),
      async (steps, chunkBytes, cacheBytes, packing, ahead) => {
        const disk = new SimulatedDisk();
        const options = { chunkBytes, cacheBytes, slabBytes: 4_096, ballastBytes: 0, packing };
        let log = await DocumentLog.open(disk, options);
        let model: Replayed[] = [];
        let pointers: { pointer: LogPointer; source: string }[] = [];
        let seqNo = 0;
        for (const step of steps) {
          if (step.what === 'append' || step.what === 'reset') {
            const all = step.batch.map((records, at) => {
              const commit = log.lastCommit + 1 + at;
              const told = records.map(
                (one): Replayed => ({
                  ...one,
                  commit,
                  seqNo: seqNo++,
                  source: one.kind === 'index' ? one.source : '',
                }),
              );
              const [frame, some] = frameOf(log, commit, told);
              return { told, frame, some };
            });
            if (step.what === 'reset') {
              log.reset();
              continue;
            }
            const half = all.length >> 1;
            const halves = [all.slice(0, half), all.slice(half)];
            const appends = halves.flatMap((some) =>
              appendsOf(
                log,
                some.map(({ frame }) => frame),
                ({ commit }) => commit % 2 < ahead,
              ),
            );
            for (const frames of appends) await log.append(frames);
            for (const { told, some } of all) {
              model.push(...told);
              const documents = told.filter(({ kind }) => kind === 'index');
              pointers.push(...some.map((pointer, at) => ({ pointer, source: documents[at]!.source })));
            }
          } else if (step.what === 'reopen') {
            await log.close();
            log = await DocumentLog.open(disk, options);
            assert.deepEqual(log.findings, []);
          } else {
            const chunks = log.chunks();
            const { number } = chunks[step.pick % chunks.length]!;
            if (number === chunks.findLast(({ kind }) => kind === 'fresh')!.number) continue;
            const inChunk: Replayed[] = [];
            const seen = await tellChunk(log, number);
            for (const one of model) if (seen.has(one.seqNo)) inChunk.push(one);
            const live = inChunk.filter(({ seqNo }) => seqNo % 8 <= step.keep);
            const moved = await log.appendMoved(live.map(entryOf));
            await log.removeChunk(number);
            const gone = new Set(inChunk.filter((one) => !live.includes(one)));
            model = model.filter((one) => !gone.has(one));
            pointers = pointers.filter(({ pointer }) => pointer.chunk !== number);
            pointers.push(
              ...moved.flatMap((pointer, at) => {
                const { kind, source } = live[at]!;
                return kind === 'index' ? [{ pointer, source }] : [];
              }),
            );
          }
        }
        for (const { pointer, source } of pointers) assert.equal(readText(log, pointer), source);
        const byPlace = (a: Replayed, b: Replayed) => a.commit - b.commit || a.seqNo - b.seqNo;
        assert.deepEqual((await replayAll(log)).sort(byPlace), model.sort(byPlace));
        await log.verify(({ reason }) => assert.fail(reason));
        await log.close();
        const again = await DocumentLog.open(disk, options);
        assert.deepEqual((await replayAll(again)).sort(byPlace), model);
        assert.equal(again.lastCommit >= (model.at(-1)?.commit ?? 0), true);
      },
    ),
    { numRuns: 100 },
  );
});

/** Numbers of the records that lie in a chunk. */
async function tellChunk(log: DocumentLog, chunk: number): Promise<Set<number>> {
  const seen = new Set<number>();
  await log.replay(0, {
    record: (record) => {
      if (record.chunk === chunk) seen.add(record.seqNo);
    },
  });
  return seen;
}
