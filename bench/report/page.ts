// Updates docs/benchmarks.md from the JSON of runs: the table between two marks, the plot, and the page of
// all cases. For each question the latest run with figures is used; a later failure is mentioned. Figures of
// earlier runs for questions that the new runs did not ask stay in the JSON next to the page.
//
//   node bench/report/page.ts docs/benchmarks.md RUN/figures.json …

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { casesPage, fasterPeers } from './cases.ts';
import { verdict } from './markdown.ts';
import { plot } from './plot.ts';
import { claimsByWork, cpuText, isMet, measuredText, type Report, targetText } from './report.ts';

const BEGIN = '<!-- made by bench/report/page.ts: begin -->';
const END = '<!-- made by bench/report/page.ts: end -->';

/** The part of a run that the page shows. */
export type RunReport = Pick<Report, 'at' | 'command' | 'docs' | 'questions' | 'machine' | 'loaded'>;

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
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tableOf(reports)}\n\n${page.slice(end)}`;
}

/** All questions, each from the latest run that has figures for it. */
export function mergeReports(reports: readonly RunReport[]): RunReport {
  const [first] = reports;
  if (first === undefined) throw new Error('there is no run');
  const questions = Object.fromEntries(
    [...answers(reports)].map(([name, { report }]) => [name, report.questions[name]!]),
  );
  return { ...first, at: reports.at(-1)?.at ?? first.at, questions };
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

function tableOf(reports: readonly RunReport[]): string {
  const lines = [
    '| work | what | target | measured | | by CPU | documents | question |',
    '| --- | --- | --: | --: | --- | --: | --: | --- |',
  ];
  const from = answers(reports);
  const all = claimsByWork(mergeReports(reports).questions);
  let before = '';
  for (const { name, claim } of all) {
    const { work, says } = claim;
    const docs = from.get(name)?.report.docs.toLocaleString('en-US') ?? '';
    const cells = [work === before ? '' : work, says, targetText(claim), measuredText(claim), verdict(claim)];
    lines.push(`| ${[...cells, cpuText(claim), docs, `\`${name}\``].join(' | ')} |`);
    before = work;
  }
  const met = all.filter(({ claim }) => isMet(claim) === true).length;
  const missed = all.filter(({ claim }) => isMet(claim) === false).length;
  const made = reports.map(
    (report) => `- ${report.at.slice(0, 16).replace('T', ' ')} UTC: \`${report.command}\``,
  );
  const counts = `${met} of ${all.length} met, ${missed} missed, ${all.length - met - missed} not measured.`;
  const faster = fasterPeers(latestAnswers(reports));
  const failed = [...from].flatMap(([name, { failed }]) =>
    failed === undefined ? [] : [`- \`${name}\`, ${failed.at}: ${failed.questions[name]?.failure}`],
  );
  return [
    counts,
    lines.join('\n'),
    ...(failed.length === 0 ? [] : ['Asked again since, without figures:', failed.join('\n')]),
    'Cases in which a peer is faster, or has less of it:',
    faster.length === 0 ? '- none' : faster.join('\n'),
    'Made by these runs:',
    made.join('\n'),
  ].join('\n\n');
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
    writeFileSync(path.replace(/\.md$/, '.svg'), plot(mergeReports(reports)));
    writeFileSync(path.replace(/\.md$/, '-cases.md'), casesPage(latestAnswers(reports)));
  }
}
