// The figures of a question as a table: one line per case with the median (and p99) and the server CPU per
// request of each peer, the ratio to the peer of the search wire, and the noise of the machine.

import type { Figure, PeerName, Row } from '../measure/question.ts';
import { amount } from './report.ts';

/** The table as text columns. `quiet` is the calibration at the quietest moment of the run, in µs. */
export function table(rows: readonly Row[], quiet: number): string {
  const peers = peersOf(rows);
  const lines = [
    ['case', ...peers, ...(peers.includes('opensearch') ? ['ratio'] : []), 'noise'],
    ...rows.map((row) => [
      row.name,
      ...peers.map((peer) => cell(row, row.figures[peer])),
      ...(peers.includes('opensearch') ? [ratio(row)] : []),
      noise(row, quiet),
    ]),
  ];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function peersOf(rows: readonly Row[]): PeerName[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row.figures) as PeerName[]))];
}

function cell({ unit }: Row, figure: Figure | undefined): string {
  if (figure === undefined) return '-';
  const p99 = figure.p99 === undefined ? '' : ` / ${amount(figure.p99)}`;
  const cpu = figure.cpu === undefined ? '' : ` (cpu ${amount(figure.cpu)})`;
  return `${amount(figure.median)}${p99} ${unit}${cpu}`;
}

/** The factor by which Octavo is better (faster or smaller) than OpenSearch; below 1 it is worse. */
export function ratio(row: Row): string {
  const [ours, theirs] = [row.figures.octavo?.median, row.figures.opensearch?.median];
  if (ours === undefined || theirs === undefined || ours === 0 || theirs === 0) return '';
  const better = row.unit === 'docs/s' || row.unit === 'contexts' ? ours / theirs : theirs / ours;
  return `${amount(better)} ×`;
}

/** The slowest calibration among the figures, divided by the quietest one. */
function noise(row: Row, quiet: number): string {
  const seen = Object.values(row.figures).flatMap(({ calibration }) => calibration ?? []);
  return seen.length === 0 ? '' : `${(Math.max(...seen) / quiet).toFixed(1)}`;
}
