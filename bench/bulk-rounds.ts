// How is a rate of writes measured? The same file of bulk requests, 4 connections, in rounds on every server in turn; the
// first rounds, of the same size, are thrown away (a cold JVM does half). A turn begins when all servers are at rest.

import { closeSync, openSync, readSync } from 'node:fs';
import { CONNECTIONS, createIndex, cutsOf } from './corpus-load.ts';
import { comeToRest, cpuBetween, cpuTimes, withChildren } from './machine.ts';
import { ask, expectEqual, expectSource, type Row, type Setting, type Target } from './question.ts';
import { allAtRest, measure, REST_MS, rateOf, roundsOf, type Sum, warmingOf } from './timing.ts';

/** Documents of a round for each request that a case of reads may take. */
const EACH = 100;

/** Documents of a round. */
export function docsOf({ truth, most }: Setting): number {
  return Math.min(EACH * most, truth.docs);
}

export interface BulkFile {
  readonly file: string;
  readonly cuts: readonly number[];
}

/** The first documents of the corpus. */
export function corpusFile(setting: Setting): BulkFile {
  return { file: setting.file, cuts: cutsOf(setting, 0, docsOf(setting)) };
}

/**
 * The rate of `file` in rounds. With `fresh` each round meets an empty index; else the one that `fill` made, which is
 * filled with the corpus before the first round.
 */
export async function bulkRounds(
  setting: Setting,
  name: string,
  { file, cuts }: BulkFile,
  { fresh }: { fresh: boolean },
): Promise<Row> {
  const docs = docsOf(setting);
  const turns = roundsOf(setting, 3);
  const index = `bench-${name.replaceAll('_', '-')}`;
  const rounds = new Map<Target, Sum[]>(setting.servers.map((target) => [target, []]));
  const send = (target: Target, body: BulkFile): Promise<Sum> =>
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
  for (let round = 1 - warmingOf(setting); round <= turns; round++) {
    for (const [target, sums] of rounds) {
      if (fresh) await createIndex(target, index);
      await allAtRest(setting);
      const before = cpuTimes(withChildren(target.pid));
      const sum = await send(target, { file, cuts });
      // Searchable when acknowledged; the peer must be told to refresh first, and that is not counted.
      if (target.name !== 'octavo') await ask(target, 'POST', `/${index}/_refresh`);
      const { count } = await ask<{ count: number }>(target, 'GET', `/${index}/_count`);
      expectEqual(target, `documents after ${name}`, count, docs);
      for (const { id, fields } of samples) await expectSource(target, index, id, fields);
      // Of the clock it is the answers that count; of the processors also what was put off until after them. Threads that have
      // ended are not seen any more: the others are not waited for.
      if (!setting.smoke) await comeToRest([target.pid], REST_MS);
      if (round > 0) sums.push({ ...sum, cpu: cpuBetween(before, cpuTimes(withChildren(target.pid))) });
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

/** What the first document of each request must have when all is done. */
function samplesOf({ file, cuts }: BulkFile): Sample[] {
  const fd = openSync(file, 'r');
  const samples = cuts.slice(0, -1).map((from, i) => {
    const bytes = Buffer.alloc(Math.min(cuts[i + 1]! - from, 1 << 16));
    readSync(fd, bytes, 0, bytes.length, from);
    const [action = '', source = ''] = bytes.toString().split('\n', 2);
    const [{ _id: id }] = Object.values(JSON.parse(action) as Record<string, { _id: string }>) as [
      { _id: string },
    ];
    const said = JSON.parse(source) as { doc?: object };
    return { id, fields: said.doc ?? said };
  });
  closeSync(fd);
  return samples;
}
