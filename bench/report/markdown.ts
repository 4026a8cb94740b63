// The report of a run in Markdown: targets with their measurements, met or missed, and the command; then the
// missed targets; then every case.

import type { Claim } from '../measure/question.ts';
import { claimsByWork, cpuText, isMet, measuredText, type Report, targetText } from './report.ts';
import { table } from './table.ts';

/** The table of targets, one line per claim. */
export function targetsTable({ docs, questions }: Report): string {
  const lines = [
    '| work | what | target | measured | | by CPU | command |',
    '| --- | --- | --: | --: | --- | --: | --- |',
  ];
  let work = '';
  for (const { name, claim } of claimsByWork(questions)) {
    const command = `\`npm run bench -- --docs ${docs} --questions ${name}\``;
    const cells = [claim.work === work ? '' : claim.work, claim.says, targetText(claim), measuredText(claim)];
    lines.push(`| ${[...cells, verdict(claim), cpuText(claim), command].join(' | ')} |`);
    work = claim.work;
  }
  return lines.join('\n');
}

export function verdict(claim: Claim): string {
  const met = isMet(claim);
  if (met === undefined) return '–';
  if (met) return 'met';
  return isMet({ ...claim, measured: claim.byCpu }) ? '**missed** (by CPU: met)' : '**missed**';
}

/** The whole page. */
export function markdown(report: Report): string {
  const { machine, peers, questions, loaded } = report;
  const absent = Object.entries(peers).filter(([, peer]) => !peer?.there);
  const segments = Object.entries(loaded).map(([name, { segments }]) => `${name} ${segments}`);
  const parts = [
    '# Figures of a run',
    `${report.at}: ${report.docs.toLocaleString('en-US')} documents (${Math.round(report.jsonBytes / report.docs)} bytes of JSON each, ` +
      `${report.live.toLocaleString('en-US')} left after deletions; segments: ${segments.join(', ')}) on ${machine.cpus} ` +
      `cores (${machine.model ?? 'unknown'}), Node ${machine.node}. Made by \`${report.command}\`.`,
    absent.length === 0
      ? 'All peers were there.'
      : `Absent: ${absent.map(([name, peer]) => `${name} (${peer?.why ?? 'unknown'})`).join(', ')}.`,
    '## Targets',
    targetsTable(report),
    '## Every case',
    'Median / 99th percentile, and µs of server CPU per request or document. `ratio`: how many times better than OpenSearch. ' +
      '`noise` is the time of the calibration kernel next to the figure, divided by its quietest time in the run.',
  ];
  for (const [name, { asks, rows, failure }] of Object.entries(questions)) {
    parts.push(`### ${name}`, asks);
    if (failure !== undefined) parts.push(`No figures: ${failure}`);
    if (rows.length > 0) parts.push(`\`\`\`text\n${table(rows, machine.calibration)}\n\`\`\``);
  }
  return `${parts.join('\n\n')}\n`;
}
