// The rate of bulk writes: the same file of bulk requests, on 4 connections, in rounds on every server in
// turn. The first rounds, of the same size, are discarded, because a cold JVM reaches half the rate. A turn
// starts when all servers are idle.

import { closeSync, openSync, readSync } from 'node:fs';
import { cpuBetween, cpuTimes, processTree, waitUntilIdle } from '../machine/processes.ts';
import { CONNECTIONS, createIndex, cutsOf } from './load-corpus.ts';
import { ask, expectEqual, expectSource, type Row, type Setting, type Target } from './question.ts';
import {
  IDLE_TIMEOUT_MS,
  type JobSum,
  measure,
  rateOf,
  roundsOf,
  waitUntilAllIdle,
  warmUpRounds,
} from './timing.ts';

/** Documents per round, for each request that a read case may make. */
const DOCS_PER_REQUEST = 100;

/** The documents of a round. */
export function docsPerRound({ truth, maxRequests }: Setting): number {
  return Math.min(DOCS_PER_REQUEST * maxRequests, truth.docs);
}

export interface BulkFile {
  readonly file: string;
  readonly cuts: readonly number[];
}

/** The first documents of the corpus. */
export function corpusFile(setting: Setting): BulkFile {
  return { file: setting.file, cuts: cutsOf(setting, 0, docsPerRound(setting)) };
}

/**
 * The rate of `file` in rounds. With `fresh`, each round starts with an empty index. Otherwise all rounds use one index,
 * which is filled with the corpus before the first round.
 */
export async function bulkRounds(
  setting: Setting,
  name: string,
  { file, cuts }: BulkFile,
  { fresh }: { fresh: boolean },
): Promise<Row> {
  const docs = docsPerRound(setting);
  const turns = roundsOf(setting, 3);
  const index = `bench-${name.replaceAll('_', '-')}`;
  const rounds = new Map<Target, JobSum[]>(setting.servers.map((target) => [target, []]));
  const send = (target: Target, body: BulkFile): Promise<JobSum> =>
    measure(setting, target, name, {
      kind: 'bulk',
      url: target.url,
      path: `/${index}/_bulk`,
      ...body,
      connections: CONNECTIONS,
    });
  const samples = samplesOf({ file, cuts });
  if (!fresh) {
    for (const target of setting.servers) {
      await createIndex(target, index);
      await send(target, corpusFile(setting));
    }
  }
  for (let round = 1 - warmUpRounds(setting); round <= turns; round++) {
    for (const [target, sums] of rounds) {
      if (fresh) await createIndex(target, index);
      await waitUntilAllIdle(setting);
      const before = cpuTimes(processTree(target.pid));
      const sum = await send(target, { file, cuts });
      // Octavo's writes are searchable when acknowledged. The peer needs a refresh, which is not counted.
      if (target.name !== 'octavo') await ask(target, 'POST', `/${index}/_refresh`);
      const { count } = await ask<{ count: number }>(target, 'GET', `/${index}/_count`);
      expectEqual(target, `documents after ${name}`, count, docs);
      for (const { id, fields } of samples) await expectSource(target, index, id, fields);
      // Wall time ends with the last reply; CPU time includes deferred work. The other servers are not waited for, because
      // the CPU time of ended threads disappears.
      if (!setting.smoke) await waitUntilIdle([target.pid], IDLE_TIMEOUT_MS);
      if (round > 0) sums.push({ ...sum, cpu: cpuBetween(before, cpuTimes(processTree(target.pid))) });
      if (fresh || round === turns) await ask(target, 'DELETE', `/${index}`);
    }
  }
  return {
    name,
    unit: 'docs/s',
    figures: Object.fromEntries([...rounds].map(([target, sums]) => [target.name, rateOf(sums, () => docs)])),
  };
}

interface Sample {
  readonly id: string;
  readonly fields: object;
}

/** The expected fields of each request's first document after the round. */
function samplesOf({ file, cuts }: BulkFile): Sample[] {
  const fd = openSync(file, 'r');
  const samples = cuts.slice(0, -1).map((from, i) => {
    const bytes = Buffer.alloc(Math.min(cuts[i + 1]! - from, 1 << 16));
    readSync(fd, bytes, 0, bytes.length, from);
    const [action = '', source = ''] = bytes.toString().split('\n', 2);
    const [{ _id: id }] = Object.values(JSON.parse(action) as Record<string, { _id: string }>) as [
      { _id: string },
    ];
    const parsed = JSON.parse(source) as { doc?: object };
    return { id, fields: parsed.doc ?? parsed };
  });
  closeSync(fd);
  return samples;
}
