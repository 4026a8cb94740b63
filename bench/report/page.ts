// Where do the figures of docs/benchmarks.md come from? From the JSON of runs: the table between its two marks is written
// anew, and beside the page the plot and a page of every case. Of several runs the last one that has figures for a question has
// the word, and where a later one failed that is told; what runs before said, and none of these asked, is kept in the JSON
// beside the page.
//
//   node bench/report/page.ts docs/benchmarks.md RUN/figures.json …

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { casesPage, fasterPeers } from './cases.ts';
import { verdict } from './markdown.ts';
import { plot } from './plot.ts';
import { claimsByWork, cpuText, isMet, measuredText, type Report, targetText } from './report.ts';

const BEGIN = '<!-- made by bench/report/page.ts: begin -->';
const END = '<!-- made by bench/report/page.ts: end -->';

/** What of a run stands on the page. */
export type Told = Pick<Report, 'at' | 'command' | 'docs' | 'questions' | 'machine' | 'loaded'>;

/** What stands on the page of these runs: the questions that each has the word for, or failed last. In their order. */
export function told(reports: readonly Told[]): Told[] {
  const from = answers(reports);
  return reports.flatMap((report) => {
    const { at, docs, machine, loaded } = report;
    // Where the run left its files is of no use to anybody else.
    const command = report.command.replace(/ --out \S+/, '');
    const kept = Object.entries(report.questions).filter(([name]) => {
      const answer = from.get(name);
      return answer?.report === report || answer?.failed === report;
    });
    if (kept.length === 0) return [];
    return [{ at, command, docs, machine, loaded, questions: Object.fromEntries(kept) }];
  });
}

/** The page with a new table. Throws where the marks are missing. */
export function fillPage(page: string, reports: readonly Told[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tableOf(reports)}\n\n${page.slice(end)}`;
}

/** All questions, each as the last run that has figures for it answered. */
export function merged(reports: readonly Told[]): Told {
  const [first] = reports;
  if (first === undefined) throw new Error('there is no run');
  const questions = Object.fromEntries(
    [...answers(reports)].map(([name, { report }]) => [name, report.questions[name]!]),
  );
  return { ...first, at: reports.at(-1)?.at ?? first.at, questions };
}

interface Answer {
  /** The run that has the word. */
  readonly report: Told;
  /** The last run that asked, where it is a later one and has no figures. */
  readonly failed?: Told;
}

function answers(reports: readonly Told[]): Map<string, Answer> {
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

/** Each question with the run that has the word for it. */
export function answered(reports: readonly Told[]): Map<string, Told> {
  return new Map([...answers(reports)].map(([name, { report }]) => [name, report]));
}

function tableOf(reports: readonly Told[]): string {
  const lines = [
    '| work | what | target | measured | | by CPU | documents | question |',
    '| --- | --- | --: | --: | --- | --: | --: | --- |',
  ];
  const from = answers(reports);
  const all = claimsByWork(merged(reports).questions);
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
  const faster = fasterPeers(answered(reports));
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
    const beside = path.replace(/\.md$/, '.json');
    const before = existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as Told[]) : [];
    const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
    const reports = told([...before, ...runs]);
    writeFileSync(beside, `${JSON.stringify(reports, undefined, 1)}\n`);
    writeFileSync(path, fillPage(readFileSync(path, 'utf8'), reports));
    writeFileSync(path.replace(/\.md$/, '.svg'), plot(merged(reports)));
    writeFileSync(path.replace(/\.md$/, '-cases.md'), casesPage(answered(reports)));
  }
}
