// One run: write the corpus and the truth, start all servers, load, ask, stop. A question that fails is
// reported with its reason, and the others continue. A peer that is not installed is reported as absent.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { writeCorpus } from './corpus/truth.ts';
import { Load } from './load/load.ts';
import { calibrate } from './machine/calibrate.ts';
import { loadCorpus, loadWithDeletions } from './measure/load-corpus.ts';
import type { Loaded, PeerName, Question, Row, Setting, Target } from './measure/question.ts';
import { startOctavo } from './peers/octavo.ts';
import { startOpenSearch } from './peers/opensearch.ts';
import { startTable } from './peers/table-server.ts';
import type { QuestionResult, Report } from './report/report.ts';
import { table } from './report/table.ts';

export interface Plan {
  readonly command: string;
  readonly docs: number;
  readonly questions: readonly Question[];
  readonly peers: readonly ('opensearch' | 'sqlite' | 'postgresql')[];
  readonly smoke: boolean;
  readonly most: number;
  readonly mostMs: number;
}

/** Wait after loading, in ms, before memory is measured: idle threads have ended by then. */
const REST_MS = 15_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Stops = (() => Promise<void> | void)[];

/** `keep` receives the report after every question, so an interrupted run loses no figures. */
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
  // Stop all processes when the run is interrupted.
  const interrupted = (): void => void stopAll().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const file = join(folder, 'corpus.ndjson');
    say(`writing ${plan.docs.toLocaleString('en-US')} documents`);
    const truth = writeCorpus(file, plan.docs);
    const [load, backgroundLoad] = [new Load(), new Load()];
    stops.push(
      () => load.close(),
      () => backgroundLoad.close(),
    );
    const loaded: Partial<Record<PeerName, Loaded>> = {};
    const peers: Report['peers'] = {};
    const octavo = await startOctavo();
    stops.push(octavo.stop);
    const servers: Target[] = [octavo];
    const opensearch = await startPeer(plan, peers, stops, say);
    if (opensearch !== undefined) servers.push(opensearch);
    const base = { truth, file, folder, load, backgroundLoad, say };
    for (const target of servers) {
      say(`loading ${target.name}`);
      const loads = servers.length > 1 ? loadWithDeletions : loadCorpus;
      loaded[target.name] = await loads(base, target, plan.smoke ? 0 : REST_MS);
    }
    const tables = await startTables(plan, peers, { file, folder }, stops, say);
    const { most, mostMs, smoke } = plan;
    const setting: Setting = {
      ...base,
      octavo,
      servers,
      tables,
      loaded,
      maxRequests: most,
      maxMs: mostMs,
      smoke,
    };
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
  states: Report['peers'],
  stops: Stops,
  say: (line: string) => void,
): Promise<Target | undefined> {
  if (!peers.includes('opensearch')) return void (states.opensearch = { there: false, why: 'not asked for' });
  say('starting OpenSearch');
  const peer = await startOpenSearch('2g', say);
  if (peer === undefined) {
    say('OpenSearch is absent');
    return void (states.opensearch = { there: false, why: 'Java 21, Maven or their packages are missing' });
  }
  states.opensearch = { there: true };
  stops.push(peer.stop);
  return { name: 'opensearch', url: peer.url, pid: peer.pid, data: peer.data };
}

async function startTables(
  { peers, questions }: Plan,
  states: Report['peers'],
  { file, folder }: { file: string; folder: string },
  stops: Stops,
  say: (line: string) => void,
): Promise<Target[]> {
  const tables: Target[] = [];
  for (const name of ['sqlite', 'postgresql'] as const) {
    if (!peers.includes(name)) {
      states[name] = { there: false, why: 'not asked for' };
      continue;
    }
    if (!questions.some(({ asksTables }) => asksTables)) {
      states[name] = { there: false, why: 'no question of this run asks tables' };
      continue;
    }
    say(`filling ${name}`);
    const started = await startTable(name, file, folder);
    if ('why' in started) {
      states[name] = { there: false, why: started.why };
      say(`${name} is absent: ${started.why}`);
    } else {
      states[name] = { there: true };
      stops.push(started.stop);
      tables.push(started.target);
    }
  }
  return tables;
}

async function askAll(
  questions: readonly Question[],
  setting: Setting,
  after: (answers: Record<string, QuestionResult>) => void,
): Promise<Record<string, QuestionResult>> {
  const answers: Record<string, QuestionResult> = {};
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

/** Gives figures without a calibration of their own that of the whole question. */
function withCalibration(rows: readonly Row[], calibration: number): Row[] {
  return rows.map((row) => ({
    ...row,
    figures: Object.fromEntries(
      Object.entries(row.figures).map(([name, figure]) => [name, { calibration, ...figure }]),
    ),
  }));
}

/** µs of the calibration kernel at the quietest moment of the run. */
function quietest(answers: Record<string, QuestionResult>): number {
  const seen = Object.values(answers).flatMap(({ rows }) =>
    rows.flatMap(({ figures }) => Object.values(figures).flatMap(({ calibration }) => calibration ?? [])),
  );
  return Math.min(calibrate(), ...seen);
}
