// Every commit that a process acknowledged on a real disk survives the kill of that process.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openDisk } from '../disk/real.ts';
import { recordsOfCommit, replayAll } from './feed/history.testing.ts';
import { DocumentLog } from './log.ts';

/** Words and zeros ahead come soon. */
const OPTIONS = {
  ...{ chunkBytes: 100_000, ballastBytes: 0, scanBelow: 50_000 },
  packing: { sampleBytes: 5_000, from: 6_000, preallocated: 10_000 },
};
const ROUNDS = Number(process.env['OCTAVO_KILL_ROUNDS'] ?? 4);

const urlOf = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Takes the folder, appends commit after commit, prints each number once it is durable. */
const writer = (folder: string): string => `
  const { openDisk } = await import(${urlOf('../disk/real.ts')});
  const { DocumentLog } = await import(${urlOf('./log.ts')});
  const { frameOf, recordsOfCommit } = await import(${urlOf('./feed/history.testing.ts')});
  const disk = await openDisk(${JSON.stringify(folder)});
  await disk.lock();
  const log = await DocumentLog.open(disk, ${JSON.stringify(OPTIONS)});
  for (let commit = log.lastCommit + 1; ; commit++) {
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
    console.log(commit);
  }`;

test('killed at random, again and again, in one data directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-kill-'));
  try {
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer(folder)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const before = acknowledged;
      for await (const line of createInterface(child.stdout)) {
        acknowledged = Math.max(acknowledged, Number(line));
        if (acknowledged > before + 5) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60);
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const disk = await openDisk(folder);
      const release = await disk.lock();
      const log = await DocumentLog.open(disk, OPTIONS);
      assert.ok(log.lastCommit >= acknowledged && acknowledged > before);
      const all = Array.from({ length: log.lastCommit }, (_, at) => recordsOfCommit(at + 1)).flat();
      assert.deepEqual(await replayAll(log), all);
      await log.close();
      await release();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
