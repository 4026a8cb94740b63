// How are figures shown? One line a case: each server's median (and 99th percentile), and how they compare.

import type { Row, Target } from './question.ts';

/** The table of a question, as text. */
export function table(rows: readonly Row[], targets: readonly Target['name'][]): string {
  const width = Math.max(...rows.map((row) => row.name.length));
  const head = [
    'case'.padEnd(width),
    ...targets.map((name) => name.padStart(22)),
    targets.length > 1 ? '   ratio' : '',
  ];
  const lines = rows.map((row) => {
    const cells = targets.map((name) => cell(row, name).padStart(22));
    return [row.name.padEnd(width), ...cells, targets.length > 1 ? ratio(row).padStart(8) : '']
      .join('  ')
      .trimEnd();
  });
  return `${[head.join('  ').trimEnd(), ...lines].join('\n')}\n`;
}

function cell(row: Row, name: Target['name']): string {
  const figure = row.figures[name];
  if (figure === undefined) return '-';
  const p99 = figure.p99 === undefined ? '' : ` / ${amount(figure.p99)}`;
  return `${amount(figure.median)}${p99} ${row.unit}`;
}

function amount(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

/** How many times better Octavo is: faster, or smaller. Below 1 it is worse. */
export function ratio(row: Row): string {
  const [ours, theirs] = [row.figures.octavo?.median, row.figures.opensearch?.median];
  if (ours === undefined || theirs === undefined) return '';
  const better = row.unit === 'docs/s' ? ours / theirs : theirs / ours;
  return `${better >= 100 ? Math.round(better) : better.toPrecision(2)} ×`;
}
