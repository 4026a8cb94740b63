// Does a change make writes cheaper? Checkouts of this project, one server each, that do the same work in turns: on a machine
// that others use too, only what ran beside each other can be compared. Tells documents a second and µs of processor time
// a document, the serving thread's by itself.
//
//   node bench/turns.ts --work partial before=../octavo-before now=. [--rounds 6] [--docs 20000] [--flags=--cpu-prof] [--rest]
//
// With `--rest` a turn lasts until the server has come to rest: seals and merges behind the last answer count.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { draft, spell } from './corpus.ts';
import { createIndex, cutsOf } from './corpus-load.ts';
import { type BulkJob, Load, type RepeatJob } from './load.ts';
import { comeToRest, cpuBetween, cpuTimes } from './machine.ts';
import { addressOf } from './octavo.ts';
import { ask, type Target } from './question.ts';
import { writeCorpus } from './truth.ts';

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

interface Side extends Omit<Target, 'name'> {
  readonly checkout: string;
  readonly name: 'octavo';
  readonly child: ChildProcess;
  readonly rates: number[];
  readonly cpu: number[];
  readonly serving: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-turns-'));
const truth = writeCorpus(join(folder, 'corpus.ndjson'), docs);
const whole = { file: join(folder, 'corpus.ndjson'), cuts: cutsOf({ truth }, 0, docs) };
const updates = updatesOf(join(folder, 'updates.ndjson'));
const load = new Load();
const sides: Side[] = [];
for (const named of positionals) {
  const [checkout = '', tree = '.'] = named.split('=');
  const bin = resolve(tree, 'packages/server/bin/octavo.js');
  const data = join(folder, checkout);
  const args = [...flags, bin, 'serve', '--port', '0', '--data', data, '--quiet'];
  const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const of = { name: 'octavo' as const, checkout, child, data, pid: child.pid ?? 0 };
  sides.push({ ...of, url: await addressOf(child), rates: [], cpu: [], serving: [] });
}
try {
  for (const side of sides) {
    await createIndex(side, 'turns');
    if (values.work === 'existing' || values.work === 'partial') await load.run(jobOf(side, whole));
  }
  // The first two rounds only warm up.
  for (let round = -2; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await turn(side, round);
  for (const { checkout, rates, cpu, serving } of sides)
    console.log(`${checkout}: ${list(rates)} docs/s; CPU ${list(cpu)} µs, serving thread ${list(serving)}`);
} finally {
  load.close();
  await Promise.all(sides.map(({ child }) => end(child)));
  rmSync(folder, { recursive: true });
}

async function turn(side: Side, round: number): Promise<void> {
  if (values.work === 'bulk') await createIndex(side, `turns-${round + 2}`);
  const { pid } = side;
  await comeToRest([pid], 5000);
  const before = cpuTimes([pid]);
  const { error, elapsedMs, micros } = await load.run(workOf(side, round));
  if (error !== undefined) throw new Error(error);
  if (values.rest) await comeToRest([pid], 5000);
  const after = cpuTimes([pid]);
  if (values.work === 'bulk') await ask(side, 'DELETE', `/turns-${round + 2}`);
  if (round < 0) return;
  const count = values.work.startsWith('put') ? micros.length : docs;
  side.rates.push(count / (elapsedMs / 1000));
  side.cpu.push((cpuBetween(before, after) ?? 0) / count);
  const own = `${pid}/${pid}`;
  side.serving.push(((after.get(own) ?? 0) - (before.get(own) ?? 0)) / count);
}

function workOf(side: Side, round: number): BulkJob | RepeatJob {
  if (values.work === 'partial') return jobOf(side, updates);
  if (!values.work.startsWith('put'))
    return jobOf(side, whole, values.work === 'bulk' ? round + 2 : undefined);
  const most = Math.min(docs, 5000);
  const requests = Array.from({ length: most }, (_, i) => ({
    method: 'PUT',
    path: `/turns/_doc/${round}-${i}`,
    body: JSON.stringify(spell(draft(i))),
  }));
  const connections = Number(values.work.slice(3));
  return { kind: 'repeat', url: side.url, requests, connections, most, mostMs: 10_000 };
}

function jobOf(side: Side, body: { file: string; cuts: number[] }, index?: number): BulkJob {
  const path = `/turns${index === undefined ? '' : `-${index}`}/_bulk`;
  return { kind: 'bulk', url: side.url, path, ...body, connections: 4 };
}

/** Two fields of every document, as `bulk_partial_update` has them. */
function updatesOf(file: string): { file: string; cuts: number[] } {
  const lines = truth.ids.map(
    (id, k) =>
      `{"update":{"_id":"${id}"}}\n{"doc":{"score":${(k % 100) / 10},"size":${k}},"detect_noop":false}\n`,
  );
  writeFileSync(file, lines.join(''));
  const cuts = [0];
  for (let at = 0; at < lines.length; at += 2000)
    cuts.push((cuts.at(-1) ?? 0) + lines.slice(at, at + 2000).join('').length);
  return { file, cuts };
}

/** The median, and the quartiles. */
function list(all: number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(0);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}

function end(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  return ended;
}
