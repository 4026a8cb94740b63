// How fast is it, and beside a real OpenSearch? Starts both (OpenSearch where Java and Maven are), loads the same corpus,
// asks every question, prints tables and writes the figures to bench/results.
//
//   npm run bench -- [--docs 1000000] [--questions ingest,pages,…] [--alone] [--json FILE]

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../conformance/server.ts';
import { Load } from './load.ts';
import { startOpenSearch } from './opensearch.ts';
import type { Question, Row, Setting, Target } from './question.ts';
import { footprint } from './questions/footprint.ts';
import { ingest } from './questions/ingest.ts';
import { pages } from './questions/pages.ts';
import { put } from './questions/put.ts';
import { scroll } from './questions/scroll.ts';
import { top10 } from './questions/top10.ts';
import { table } from './table.ts';
import { writeCorpus } from './truth.ts';

/** All questions; the first one loads the corpus and is always asked. */
export const QUESTIONS: readonly Question[] = [ingest, footprint, pages, top10, scroll, put];

const USAGE = `usage: npm run bench -- [options]
  --docs N          documents (default 1,000,000)
  --questions LIST  some of: ${QUESTIONS.map(({ name }) => name).join(', ')} (ingest always runs: it loads the corpus)
  --alone           without OpenSearch
  --most N          requests of one case (default 400)
  --seconds N       most time of one case on one server (default 4)
  --json FILE       where the figures go (default bench/results/DATE.json)`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      docs: { type: 'string', default: '1000000' },
      questions: { type: 'string' },
      alone: { type: 'boolean', default: false },
      most: { type: 'string', default: '400' },
      seconds: { type: 'string', default: '4' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return void process.stdout.write(`${USAGE}\n`);
  const docs = Number(values.docs.replaceAll(/[,_]/g, ''));
  const wanted = values.questions?.split(',') ?? QUESTIONS.map(({ name }) => name);
  const unknown = wanted.find((name) => !QUESTIONS.some((question) => question.name === name));
  if (!(docs >= 1000) || unknown !== undefined)
    throw new Error(`--docs is at least 1000; questions as below\n${USAGE}`);
  const asked = QUESTIONS.filter(({ name }, at) => at === 0 || wanted.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const file = join(folder, 'corpus.ndjson');
    say(`writing ${docs.toLocaleString('en-US')} documents`);
    const truth = writeCorpus(file, docs);
    const targets = await startTargets(values.alone, stops);
    const load = new Load();
    stops.push(async () => load.close());
    const mostMs = Number(values.seconds) * 1000;
    const setting: Setting = { targets, truth, file, load, most: Number(values.most), mostMs, say };
    const results = await askAll(asked, setting);
    write(values.json, setting, results);
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(folder, { recursive: true });
  }
}

async function startTargets(alone: boolean, stops: (() => Promise<void>)[]): Promise<Target[]> {
  const octavo = await startServer(['--quiet']);
  stops.push(octavo.stop);
  const targets: Target[] = [{ name: 'octavo', url: octavo.url, pid: octavo.pid, data: octavo.data }];
  if (alone) return targets;
  say('starting OpenSearch');
  const peer = await startOpenSearch('2g', say);
  if (peer === undefined) say('going on alone');
  else {
    stops.push(peer.stop);
    targets.push({ name: 'opensearch', url: peer.url, pid: peer.pid, data: peer.data });
  }
  return targets;
}

async function askAll(questions: readonly Question[], setting: Setting): Promise<Record<string, Row[]>> {
  const results: Record<string, Row[]> = {};
  for (const question of questions) {
    say(question.asks);
    const rows = await question.run(setting);
    results[question.name] = rows;
    process.stdout.write(
      `\n${question.asks}\n\n${table(
        rows,
        setting.targets.map(({ name }) => name),
      )}`,
    );
  }
  return results;
}

function write(path: string | undefined, setting: Setting, results: Record<string, Row[]>): void {
  const folder = fileURLToPath(new URL('results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = path ?? join(folder, `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`);
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, memory: totalmem(), node: process.version };
  const { docs, jsonBytes } = setting.truth;
  writeFileSync(
    file,
    `${JSON.stringify({ at: new Date().toISOString(), docs, jsonBytes, machine, results }, null, 1)}\n`,
  );
  say(`figures in ${file}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    say(`bench: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
