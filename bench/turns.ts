// Compares the write cost of several checkouts of this project. Each has one server, and all do the same work
// in turns, because on a shared machine only work done side by side is comparable. Prints documents per
// second and µs of CPU per document, by thread name.
//
//   node bench/turns.ts --work partial before=../octavo-before now=. [--rounds 6] [--docs 20000] [--flags=--cpu-prof] [--rest]
//
// With `--rest` a turn ends when the server is idle again, so that seals and merges after the last reply
// count.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { draft, spell } from './corpus/corpus.ts';
import { writeCorpus } from './corpus/truth.ts';
import { type BulkJob, Load, type RepeatJob } from './load/load.ts';
import { cpuBetween, cpuByName, cpuTimes, waitUntilIdle } from './machine/processes.ts';
import type { BulkFile } from './measure/bulk-rounds.ts';
import { createIndex, cutsOf } from './measure/load-corpus.ts';
import { quantile } from './measure/quantile.ts';
import { ask } from './measure/question.ts';
import { type Octavo, startOctavo } from './peers/octavo.ts';
import { updatesOf } from './questions/writes/bulk_partial_update.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: 'string', default: 'bulk' },
    rounds: { type: 'string', default: '6' },
    docs: { type: 'string', default: '20000' },
    flags: { type: 'string', default: '' },
    rest: { type: 'boolean', default: false },
  },
});
const WORKS = ['bulk', 'existing', 'partial', 'put1', 'put16', 'put64'];
if (!WORKS.includes(values.work) || positionals.length === 0)
  throw new Error(`--work is one of ${WORKS.join(', ')}; then come checkouts, as NAME=FOLDER`);
const [docs, rounds] = [Number(values.docs), Number(values.rounds)];
const flags = values.flags.split(' ').filter(Boolean);

interface Side extends Octavo {
  readonly checkout: string;
  readonly rates: number[];
  readonly cpu: number[];
  readonly threads: Map<string, number[]>;
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-turns-'));
const truth = writeCorpus(join(folder, 'corpus.ndjson'), docs);
const whole = { file: join(folder, 'corpus.ndjson'), cuts: cutsOf({ truth }, 0, docs) };
const updates = updatesOf(join(folder, 'updates.ndjson'), truth.ids);
const load = new Load();
const sides: Side[] = [];
for (const named of positionals) {
  const [checkout = '', tree = '.'] = named.split('=');
  const octavo = await startOctavo([], flags, resolve(tree, 'packages/server/bin/octavo.js'));
  sides.push({
    ...octavo,
    url: octavo.url,
    pid: octavo.pid,
    checkout,
    rates: [],
    cpu: [],
    threads: new Map(),
  });
}
try {
  for (const side of sides) {
    await createIndex(side, 'turns');
    if (values.work === 'existing' || values.work === 'partial') await load.run(jobOf(side, whole));
  }
  // The first two rounds only warm up.
  for (let round = -2; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await turn(side, round);
  for (const { checkout, rates, cpu, threads } of sides) {
    console.log(`${checkout}: ${list(rates)} docs/s; CPU ${list(cpu)} µs`);
    const parts = [...threads].map(([name, micros]) => `${name} ${quantile(micros, 0.5).toFixed(1)}`);
    console.log(`  ${parts.join(', ')}`);
  }
} finally {
  load.close();
  await Promise.all(sides.map((side) => side.stop()));
  rmSync(folder, { recursive: true });
}

async function turn(side: Side, round: number): Promise<void> {
  if (values.work === 'bulk') await createIndex(side, `turns-${round + 2}`);
  const { pid } = side;
  await waitUntilIdle([pid], 5000);
  const before = cpuTimes([pid]);
  const { error, elapsedMs, micros } = await load.run(workOf(side, round));
  if (error !== undefined) throw new Error(error);
  if (values.rest) await waitUntilIdle([pid], 5000);
  const after = cpuTimes([pid]);
  if (values.work === 'bulk') await ask(side, 'DELETE', `/turns-${round + 2}`);
  if (round < 0) return;
  const count = values.work.startsWith('put') ? micros.length : docs;
  side.rates.push(count / (elapsedMs / 1000));
  side.cpu.push((cpuBetween(before, after) ?? 0) / count);
  for (const [name, micros] of cpuByName(before, after)) {
    const all = side.threads.get(name) ?? [];
    if (all.length === 0) side.threads.set(name, all);
    all.push(micros / count);
  }
}

function workOf(side: Side, round: number): BulkJob | RepeatJob {
  if (values.work === 'partial') return jobOf(side, updates);
  if (!values.work.startsWith('put'))
    return jobOf(side, whole, values.work === 'bulk' ? round + 2 : undefined);
  const most = Math.min(docs, 20_000);
  const requests = Array.from({ length: most }, (_, i) => ({
    method: 'PUT',
    path: `/turns/_doc/${round}-${i}`,
    body: JSON.stringify(spell(draft(i))),
  }));
  const connections = Number(values.work.slice(3));
  return { kind: 'repeat', url: side.url, requests, connections, most, mostMs: 10_000 };
}

function jobOf(side: Side, body: BulkFile, index?: number): BulkJob {
  const path = `/turns${index === undefined ? '' : `-${index}`}/_bulk`;
  return { kind: 'bulk', url: side.url, path, ...body, connections: 4 };
}

/** The median, and the quartiles. */
function list(all: number[]): string {
  const [quarter, half, rest] = [0.25, 0.5, 0.75].map((part) => quantile(all, part).toFixed(0));
  return `${half} (${quarter} to ${rest})`;
}
