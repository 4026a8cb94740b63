// A reading thread reads packed chunks while the writing thread appends.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDisk } from '../../disk/real.ts';
import { frameOf, recordsOfCommit } from '../../log/feed/history.testing.ts';
import type { LogPointer } from '../../log/format/record.ts';
import { DocumentLog } from '../../log/log.ts';
import type { LogOptions } from '../../log/log-options.ts';
import { ReplicaLog } from './replica-log.ts';

const far = Number.POSITIVE_INFINITY;

for (const [what, packing] of [
  ['packed where it is appended', { sampleBytes: 20_000, from: 0, threadFrom: far }],
  ['packed in a thread', { sampleBytes: 20_000, from: 0, threadFrom: 4_000 }],
  [
    'packed in a thread that there is not',
    { sampleBytes: 20_000, from: 0, threadFrom: 4_000, thread: new URL('./none.ts', import.meta.url) },
  ],
] as const)
  test(`${what}: sources are read as they were appended, before and after a new start`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-lent-'));
    try {
      const disk = await openDisk(folder);
      const options: LogOptions = { chunkBytes: 150_000, cacheBytes: 0, ballastBytes: 0, packing };
      let log = await DocumentLog.open(disk, options);
      const replica = new ReplicaLog(0);
      const expected: { pointer: LogPointer; source: string }[] = [];
      const packs = !what.endsWith('not');
      // Words come when the thread has learnt them.
      for (let commit = 1; commit <= 120 || (packs && log.storedShare > 0.8); commit++) {
        const records = Array.from({ length: commit % 7 === 0 ? 12 : 2 }, () =>
          recordsOfCommit(commit),
        ).flat();
        const [frame, pointers] = frameOf(log, commit, records);
        await log.append([frame]);
        const documents = records.filter(({ kind }) => kind === 'index');
        pointers.forEach((pointer, i) => void expected.push({ pointer, source: documents[i]!.source }));
        for (const chunk of log.sharedChunks()) replica.put(chunk);
        for (const { pointer, source } of expected.slice(-30)) assertRead(replica, pointer, source);
      }
      assert.equal(log.storedShare < 1, packs);
      await log.close();
      log = await DocumentLog.open(disk, options);
      await log.check();
      const again = new ReplicaLog(100_000);
      for (const chunk of log.sharedChunks()) again.put(chunk);
      for (const { pointer, source } of expected) {
        assertRead(again, pointer, source);
        assertRead(log, pointer, source);
      }
      await log.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

function assertRead(
  log: Pick<DocumentLog, 'read'>,
  { chunk, offset, length }: LogPointer,
  source: string,
): void {
  assert.equal(Buffer.from(log.read(chunk, offset, length)).toString(), source);
}
