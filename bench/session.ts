// How does a run go? Write the corpus and the truth, start everybody, load, ask, stop. A question that fails is told with
// its reason and the others go on; a peer that is not installed is told as absent.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { calibrate } from './calibration.ts';
import { loadAsOthers, loadCorpus } from './corpus-load.ts';
import { Load } from './load.ts';
import { startOctavo } from './octavo.ts';
import { startOpenSearch } from './opensearch.ts';
import { startTable } from './peers/tables.ts';
import type { Loaded, PeerName, Question, Row, Setting, Target } from './question.ts';
import type { Answered, Report } from './report/report.ts';
import { table } from './report/table.ts';
import { writeCorpus } from './truth.ts';

export interface Plan {
  readonly command: string;
  readonly docs: number;
  readonly questions: readonly Question[];
  readonly peers: readonly ('opensearch' | 'sqlite' | 'postgresql')[];
  readonly smoke: boolean;
  readonly most: number;
  readonly mostMs: number;
}

/** A server that has had nothing to do for so long is at rest. */
const REST_MS = 15_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Stops = (() => Promise<void> | void)[];

/** `keep` is given the report after every question: what is measured stays, even if the run is ended. */
export async function runBench(
  plan: Plan,
  say: (line: string) => void,
  keep: (report: Report) => void = () => {},
): Promise<Report> {
  const at = new Date().toISOString();
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'));
  const stops: Stops = [() => rmSync(folder, { recursive: true })];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  // Nobody is left behind when the run is ended from outside.
  const interrupted = (): void => void stopAll().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const file = join(folder, 'corpus.ndjson');
    say(`writing ${plan.docs.toLocaleString('en-US')} documents`);
    const truth = writeCorpus(file, plan.docs);
    const [load, beside] = [new Load(), new Load()];
    stops.push(
      () => load.close(),
      () => beside.close(),
    );
    const loaded: Partial<Record<PeerName, Loaded>> = {};
    const peers: Report['peers'] = {};
    const octavo = await startOctavo();
    stops.push(octavo.stop);
    const servers: Target[] = [octavo];
    const opensearch = await startPeer(plan, peers, stops, say);
    if (opensearch !== undefined) servers.push(opensearch);
    const base = { truth, file, folder, load, beside, say };
    for (const target of servers) {
      say(`loading ${target.name}`);
      const loads = servers.length > 1 ? loadAsOthers : loadCorpus;
      loaded[target.name] = await loads(base, target, plan.smoke ? 0 : REST_MS);
    }
    const tables = await startTables(plan, peers, { file, folder }, stops, say);
    const { most, mostMs, smoke } = plan;
    const setting: Setting = { ...base, octavo, servers, tables, loaded, most, mostMs, smoke };
    const machine = {
      cpus: cpus().length,
      model: cpus()[0]?.model,
      memory: totalmem(),
      node: process.version,
    };
    const reportOf = (questions: Report['questions']): Report => ({
      at,
      command: plan.command,
      docs: truth.docs,
      live: truth.live,
      jsonBytes: truth.jsonBytes,
      machine: { ...machine, calibration: quietest(questions) },
      peers,
      loaded,
      questions,
    });
    return reportOf(await askAll(plan.questions, setting, (answers) => keep(reportOf(answers))));
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await stopAll();
  }
}

async function startPeer(
  { peers }: Plan,
  told: Report['peers'],
  stops: Stops,
  say: (line: string) => void,
): Promise<Target | undefined> {
  if (!peers.includes('opensearch')) return void (told.opensearch = { there: false, why: 'not asked for' });
  say('starting OpenSearch');
  const peer = await startOpenSearch('2g', say);
  if (peer === undefined) {
    say('OpenSearch is absent');
    return void (told.opensearch = { there: false, why: 'Java 21, Maven or their packages are missing' });
  }
  told.opensearch = { there: true };
  stops.push(peer.stop);
  return { name: 'opensearch', url: peer.url, pid: peer.pid, data: peer.data };
}

async function startTables(
  { peers, questions }: Plan,
  told: Report['peers'],
  { file, folder }: { file: string; folder: string },
  stops: Stops,
  say: (line: string) => void,
): Promise<Target[]> {
  const tables: Target[] = [];
  for (const name of ['sqlite', 'postgresql'] as const) {
    if (!peers.includes(name)) {
      told[name] = { there: false, why: 'not asked for' };
      continue;
    }
    if (!questions.some(({ asksTables }) => asksTables)) {
      told[name] = { there: false, why: 'no question of this run asks tables' };
      continue;
    }
    say(`filling ${name}`);
    const started = await startTable(name, file, folder);
    if ('why' in started) {
      told[name] = { there: false, why: started.why };
      say(`${name} is absent: ${started.why}`);
    } else {
      told[name] = { there: true };
      stops.push(started.stop);
      tables.push(started.target);
    }
  }
  return tables;
}

async function askAll(
  questions: readonly Question[],
  setting: Setting,
  after: (answers: Record<string, Answered>) => void,
): Promise<Record<string, Answered>> {
  const answers: Record<string, Answered> = {};
  for (const question of questions) {
    const { name, asks } = question;
    setting.say(`\n${name}: ${asks}`);
    const start = performance.now();
    try {
      const before = calibrate();
      const rows = withCalibration(await question.run(setting), Math.max(before, calibrate()));
      answers[name] = { asks, rows, claims: question.claims?.(rows) ?? [] };
      setting.say(table(rows, quietest(answers)));
    } catch (error) {
      const failure = (error as Error).message;
      answers[name] = { asks, rows: [], claims: question.claims?.([]) ?? [], failure };
      setting.say(`no figures: ${failure}`);
    }
    after(answers);
    setting.say(`(${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
  return answers;
}

/** Figures that have no calibration of their own get that of the whole question. */
function withCalibration(rows: readonly Row[], calibration: number): Row[] {
  return rows.map((row) => ({
    ...row,
    figures: Object.fromEntries(
      Object.entries(row.figures).map(([name, figure]) => [name, { calibration, ...figure }]),
    ),
  }));
}

/** µs of the calibration kernel at the quietest moment. */
function quietest(answers: Record<string, Answered>): number {
  const seen = Object.values(answers).flatMap(({ rows }) =>
    rows.flatMap(({ figures }) => Object.values(figures).flatMap(({ calibration }) => calibration ?? [])),
  );
  return Math.min(calibrate(), ...seen);
}
