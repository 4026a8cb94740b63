// Updates docs/benchmarks.md from the JSON of runs: the tables between two marks, the plots, and the page of
// all cases. For each question the latest run with figures is used; a later failure is mentioned. Figures of
// earlier runs for questions that the new runs did not ask stay in the JSON next to the page.
//
//   node bench/report/page.ts docs/benchmarks.md RUN/figures.json …

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PeerName, Row } from '../measure/question.ts';
import { casesPage, fasterPeers } from './cases.ts';
import { depthPlot, growthPlot, textPlot } from './plot.ts';
import { amount, type Report, type RunReport } from './report.ts';
import { SHOWN, timeText } from './svg.ts';
import { ratio } from './table.ts';

const BEGIN = '<!-- made by bench/report/page.ts: begin -->';
const END = '<!-- made by bench/report/page.ts: end -->';

/** The runs reduced to the questions that the page takes from each, figures or latest failures, in order. */
export function reportsToKeep(reports: readonly RunReport[]): RunReport[] {
  const from = answers(reports);
  return reports.flatMap((report) => {
    const { at, docs, machine, loaded } = report;
    // The output folder of a run is of no use to readers.
    const command = report.command.replace(/ --out \S+/, '');
    const questions = Object.entries(report.questions).filter(([name]) => {
      const answer = from.get(name);
      return answer?.report === report || answer?.failed === report;
    });
    if (questions.length === 0) return [];
    return [{ at, command, docs, machine, loaded, questions: Object.fromEntries(questions) }];
  });
}

/** The page with a new table. Throws if the marks are missing. */
export function fillPage(page: string, reports: readonly RunReport[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tablesOf(reports)}\n\n${page.slice(end)}`;
}

interface Answer {
  /** The latest run with figures. */
  readonly report: RunReport;
  /** A later run that asked the question and has no figures, if any. */
  readonly failed?: RunReport;
}

function answers(reports: readonly RunReport[]): Map<string, Answer> {
  const all = new Map<string, Answer>();
  for (const report of reports) {
    for (const [name, { failure }] of Object.entries(report.questions)) {
      const before = all.get(name);
      all.set(
        name,
        failure === undefined || before === undefined
          ? { report }
          : { report: before.report, failed: report },
      );
    }
  }
  return all;
}

/** Each question with the latest run that has figures for it. */
export function latestAnswers(reports: readonly RunReport[]): Map<string, RunReport> {
  return new Map([...answers(reports)].map(([name, { report }]) => [name, report]));
}

/** Questions whose rows are compared with peers, one table for each group. */
const COMPARED: readonly (readonly [title: string, questions: readonly string[]])[] = [
  ['A page by its depth', ['page_by_depth']],
  ['Text, asked for the first time', ['new_texts']],
  ['Text, asked again', ['top10']],
  ['A list of growing size', ['page_by_size']],
  [
    'Other pages',
    [
      'match-all',
      'term',
      'range',
      'desc_sort_timestamp',
      'desc_sort_with_after_timestamp',
      'pages_backwards',
      'deep_score',
    ],
  ],
  ['Aggregations', ['aggregations', 'pages_beside_aggregations']],
  ['Export', ['scroll', 'export_scroll', 'export_tokens']],
  ['Writes', ['bulk', 'bulk_existing_ids', 'bulk_partial_update', 'put_1_16_64', 'put_then_found']],
  ['Reads during writes', ['page_walk_under_ingest', 'reads_under_ingest_full_and_half']],
];

/** Questions that only Octavo answers. */
const ALONE = [
  'first_use_of_sort',
  'first_use_of_filter',
  'memory_at_rest',
  'bytes_written',
  'start_up',
  'scroll_10k_contexts',
  'ledger',
];

function tablesOf(reports: readonly RunReport[]): string {
  const latest = latestAnswers(reports);
  const rowsOf = (names: readonly string[]): Row[] =>
    names.flatMap((name) => latest.get(name)?.questions[name]?.rows ?? []);
  const parts: string[] = [];
  for (const [title, names] of COMPARED) {
    const rows = rowsOf(names).filter(({ figures }) => Object.keys(figures).length > 1);
    if (rows.length > 0) parts.push(`### ${title}`, sizesOf(names, latest), comparison(rows));
  }
  const alone = ALONE.flatMap((name) =>
    rowsOf([name])
      .filter(({ figures }) => figures.octavo !== undefined)
      .map((row) => `| \`${name}\` | ${row.name} | ${figureText(row, 'octavo')} |`),
  );
  if (alone.length > 0) {
    const head = ['| question | case | median |', '| --- | --- | --: |'];
    parts.push('### Octavo alone', sizesOf(ALONE, latest), [...head, ...alone].join('\n'));
  }
  const failed = [...answers(reports)].flatMap(([name, { failed }]) =>
    failed === undefined ? [] : [`- \`${name}\`, ${failed.at}: ${failed.questions[name]?.failure}`],
  );
  if (failed.length > 0) parts.push('Asked again since, without figures:', failed.join('\n'));
  const faster = fasterPeers(latest);
  const made = reports.map(
    ({ at, machine, command }) => `- ${at.slice(0, 10)}, Node ${machine.node}: \`${command}\``,
  );
  parts.push(
    '### Where a peer is better',
    faster.length === 0 ? '- none' : faster.join('\n'),
    '### Runs',
    made.join('\n'),
  );
  return parts.join('\n\n');
}

/** The sizes of the corpora of some questions. */
function sizesOf(names: readonly string[], latest: ReadonlyMap<string, RunReport>): string {
  const sizes = new Set(names.flatMap((name) => latest.get(name)?.docs ?? []));
  const texts = [...sizes].sort((a, b) => a - b).map((docs) => docs.toLocaleString('en-US'));
  const asked = names.map((name) => `\`${name}\``);
  return `${texts.join(' or ')} documents; ${asked.length === 1 ? 'question' : 'questions'} ${asked.join(', ')}.`;
}

/** Medians of all servers that have one, and the ratio to OpenSearch. */
function comparison(rows: readonly Row[]): string {
  const peers = SHOWN.filter(([peer]) => rows.some(({ figures }) => figures[peer] !== undefined));
  const lines = rows.map((row) => {
    const cells = peers.map(([peer]) => figureText(row, peer));
    return `| ${[row.name, ...cells, ratio(row)].join(' | ')} |`;
  });
  const names = peers.map(([, name]) => name);
  return [
    `| case | ${names.join(' | ')} | Octavo compared with OpenSearch |`,
    `| --- | ${names.map(() => '--:').join(' | ')} | --: |`,
    ...lines,
  ].join('\n');
}

function figureText({ unit, figures }: Row, peer: PeerName): string {
  const median = figures[peer]?.median;
  if (median === undefined) return '–';
  return unit === 'µs' ? timeText(median) : `${amount(median)} ${unit}`;
}

/** The plots next to the page, by their names; only those whose questions have been asked. */
export function plotsOf(reports: readonly RunReport[]): Map<string, string> {
  const latest = latestAnswers(reports);
  const plots = new Map<string, string>();
  const add = (
    name: string,
    question: string,
    plot: (rows: readonly Row[], docs: number) => string,
  ): void => {
    const report = latest.get(question);
    const rows = report?.questions[question]?.rows ?? [];
    if (report !== undefined && rows.length > 0) plots.set(name, plot(rows, report.docs));
  };
  add('depth.svg', 'page_by_depth', depthPlot);
  add('text.svg', 'new_texts', textPlot);
  add('growth.svg', 'page_by_size', growthPlot);
  return plots;
}

if (import.meta.main) {
  const [path, ...files] = process.argv.slice(2);
  if (path === undefined || files.length === 0) {
    process.stderr.write('usage: node bench/report/page.ts PAGE.md RUN/figures.json …\n');
    process.exitCode = 2;
  } else {
    const jsonPath = path.replace(/\.md$/, '.json');
    const before = existsSync(jsonPath) ? (JSON.parse(readFileSync(jsonPath, 'utf8')) as RunReport[]) : [];
    const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
    const reports = reportsToKeep([...before, ...runs]);
    writeFileSync(jsonPath, `${JSON.stringify(reports, undefined, 1)}\n`);
    writeFileSync(path, fillPage(readFileSync(path, 'utf8'), reports));
    for (const [name, plot] of plotsOf(reports)) writeFileSync(join(dirname(path), 'plots', name), plot);
    writeFileSync(path.replace(/\.md$/, '-cases.md'), casesPage(latestAnswers(reports)));
  }
}
