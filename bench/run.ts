// The benchmark program. It starts Octavo and the peers that are installed, loads the same corpus into all,
// asks every question, and writes figures.json, figures.md and the plots.
//
//   npm run bench -- [--docs 1000000] [--questions bulk,term,…] [--peers opensearch,…] [--alone] [--smoke] [--out DIR]

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { QUESTIONS } from './questions/questions.ts';
import { markdown, targetsTable } from './report/markdown.ts';
import { plotsOf } from './report/page.ts';
import type { Report } from './report/report.ts';
import { type Plan, runBench } from './session.ts';

export const PEERS = ['opensearch', 'sqlite', 'postgresql'] as const;
/** A library, not a server: one question compares with it. */
const LIBRARY = 'tantivy';
const LIBRARY_QUESTION = 'top10_in_process';
const NAMES = [...PEERS, LIBRARY].join(', ');

const USAGE = `usage: npm run bench -- [options]
  --docs N          documents (default 1,000,000; 400 with --smoke)
  --questions LIST  some of: ${QUESTIONS.map(({ name }) => name).join(', ')}
  --alone           without peers
  --peers LIST      some of: ${NAMES} (default all; a peer that is not installed is reported as absent)
  --smoke           the least of everything: are the answers right, are the files written?
  --most N          requests of one case (default 1000)
  --seconds N       most time of one case on one peer (default 4)
  --out DIR         where figures.json, figures.md and the plots go (default bench/results/DATE)`;

export function planOf(args: readonly string[]): (Plan & { out: string | undefined }) | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      docs: { type: 'string' },
      questions: { type: 'string' },
      alone: { type: 'boolean', default: false },
      peers: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      most: { type: 'string' },
      seconds: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return undefined;
  const { smoke } = values;
  const docs = Number((values.docs ?? (smoke ? '400' : '1000000')).replaceAll(/[,_]/g, ''));
  const peers = peersOf(values.peers, values.alone || smoke);
  const names = questionsOf(values.questions, peers.includes(LIBRARY));
  if (!(docs >= 400)) throw new Error(`--docs is at least 400\n${USAGE}`);
  return {
    command: ['npm run bench --', ...args].join(' '),
    docs,
    questions: QUESTIONS.filter(({ name }) => names.includes(name)),
    peers: PEERS.filter((name) => peers.includes(name)),
    smoke,
    most: Number(values.most ?? (smoke ? 4 : 1000)),
    mostMs: Number(values.seconds ?? (smoke ? 0.2 : 4)) * 1000,
    out: values.out,
  };
}

function peersOf(list: string | undefined, alone: boolean): readonly string[] {
  const known: readonly string[] = [...PEERS, LIBRARY];
  const selected = list?.split(',') ?? known;
  const unknown = selected.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no peer ${unknown}; there are ${NAMES}`);
  return alone ? [] : selected;
}

/** Without the library, the question that compares with it is left out; named explicitly it is refused. */
function questionsOf(list: string | undefined, hasLibrary: boolean): readonly string[] {
  const all = QUESTIONS.map(({ name }) => name);
  const selected = list?.split(',') ?? all.filter((name) => hasLibrary || name !== LIBRARY_QUESTION);
  const unknown = selected.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no question ${unknown}\n${USAGE}`);
  if (!hasLibrary && selected.includes(LIBRARY_QUESTION))
    throw new Error(`${LIBRARY_QUESTION} compares with ${LIBRARY}, which is not among the peers of this run`);
  return selected;
}

export function writeReport(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'figures.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(join(folder, 'figures.md'), markdown(report));
  for (const [name, plot] of plotsOf([report])) writeFileSync(join(folder, name), plot);
}

if (import.meta.main) {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const plan = planOf(process.argv.slice(2));
    if (plan === undefined) process.stdout.write(`${USAGE}\n`);
    else {
      const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
      const folder = plan.out ?? fileURLToPath(new URL(`results/${date}`, import.meta.url));
      const report = await runBench(plan, say, (measured) => writeReport(measured, folder));
      process.stdout.write(`${targetsTable(report)}\n`);
      say(`figures in ${folder}`);
      if (Object.values(report.questions).some(({ failure }) => failure !== undefined)) process.exitCode = 1;
    }
  } catch (error) {
    say(`bench: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
