// The page of all cases (docs/benchmarks-cases.md): one table per question with the run that asked it. Also
// lists the cases in which a peer is better than Octavo.

import type { PeerName, Row } from '../measure/question.ts';
import type { RunReport } from './page.ts';
import { amount } from './report.ts';
import { table } from './table.ts';

const HEAD = `# Every case

Behind [the targets](benchmarks.md): median / 99th percentile, and µs of server CPU per request or document. \`ratio\`: how many
times better than OpenSearch. \`noise\`: the calibration kernel beside the figure, over its quietest time in the run. Made by
\`bench/report/page.ts\`.`;

/** `answers`: each question with the latest run that has figures for it. */
export function casesPage(answers: ReadonlyMap<string, RunReport>): string {
  const parts = [HEAD];
  for (const [name, { at, command, docs, machine, loaded, questions }] of answers) {
    const { asks, rows, failure } = questions[name]!;
    const segments = Object.entries(loaded).map(([server, { segments }]) => `${server} ${segments}`);
    parts.push(
      `## ${name}`,
      `${asks} ${docs.toLocaleString('en-US')} documents; segments when they were loaded: ${segments.join(', ')}. ` +
        `${at.slice(0, 16).replace('T', ' ')} UTC, \`${command}\``,
    );
    if (failure !== undefined) parts.push(`No figures: ${failure}`);
    if (rows.length > 0) parts.push(`\`\`\`text\n${table(rows, machine.calibration)}\n\`\`\``);
  }
  return `${parts.join('\n\n')}\n`;
}

/** A line for each case in which a peer is better than Octavo, the largest difference first. */
export function fasterPeers(answers: ReadonlyMap<string, RunReport>): string[] {
  const found: { readonly times: number; readonly line: string }[] = [];
  for (const [name, { questions }] of answers) {
    for (const row of questions[name]!.rows) {
      for (const peer of Object.keys(row.figures) as PeerName[]) {
        const times = timesBetter(row, peer);
        if (times === undefined || times <= 1) continue;
        const [ours, theirs] = [row.figures.octavo!.median, row.figures[peer]!.median];
        const line = `- \`${name}\`, ${row.name}: ${peer} ${amount(theirs)} ${row.unit}, Octavo ${amount(ours)} (${amount(times)} ×)`;
        found.push({ times, line });
      }
    }
  }
  return found.sort((a, b) => b.times - a.times).map(({ line }) => line);
}

/** The factor by which a peer is better than Octavo in a case. */
function timesBetter({ unit, figures }: Row, peer: PeerName): number | undefined {
  const [ours, theirs] = [figures.octavo?.median, figures[peer]?.median];
  if (peer === 'octavo' || ours === undefined || theirs === undefined || ours * theirs === 0)
    return undefined;
  return unit === 'docs/s' || unit === 'contexts' ? theirs / ours : ours / theirs;
}
