// What the plots share: the frame of an SVG document, texts, logarithmic scales, and one colour and mark for each server in
// light and dark mode. Labels repeat what colours say.

import type { PeerName } from '../measure/question.ts';

export const WIDTH = 820;

/** The servers in the order of a legend, with the names that readers know. */
export const SHOWN: readonly (readonly [peer: PeerName, name: string])[] = [
  ['octavo', 'Octavo'],
  ['sqlite', 'SQLite'],
  ['postgresql', 'PostgreSQL'],
  ['opensearch', 'OpenSearch'],
];

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px } .axis { fill: #59636e; font-size: 12px } .grid { stroke: #d1d9e0 }
  .line { fill: none; stroke-width: 2.5 } .bar { stroke: none }
  .octavo { stroke: #0969da; fill: #0969da } .opensearch { stroke: #bc4c00; fill: #bc4c00 }
  .postgresql { stroke: #1a7f64; fill: #1a7f64 } .sqlite { stroke: #8250df; fill: #8250df }
  text.octavo, text.opensearch, text.postgresql, text.sqlite { stroke: none }
  .line.octavo, .line.opensearch, .line.postgresql, .line.sqlite { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .axis { fill: #9198a1 } .grid { stroke: #3d444d }
    .octavo { stroke: #58a6ff; fill: #58a6ff } .opensearch { stroke: #f0883e; fill: #f0883e }
    .postgresql { stroke: #3fb68f; fill: #3fb68f } .sqlite { stroke: #bc8cff; fill: #bc8cff }
  }`;

export function svg(title: string, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}\n</style>`,
    label(8, 22, title, 'title'),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

export function label(x: number, y: number, words: string, kind = '', anchor = 'start'): string {
  const style = kind === '' ? '' : ` class="${kind}"`;
  return `<text${style} text-anchor="${anchor}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped(words)}</text>`;
}

/** A scale from `low` to `high` onto pixels. */
export function logScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const span = Math.log(high) - Math.log(low);
  return (value) => from + ((to - from) * (Math.log(value) - Math.log(low))) / span;
}

/** The powers of ten from below the least value to above the greatest. */
export function decades(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k));
}

/** Microseconds with the unit that is read best. */
export function timeText(micros: number): string {
  if (micros < 1_000) return `${rounded(micros)} µs`;
  return micros < 1_000_000 ? `${rounded(micros / 1_000)} ms` : `${rounded(micros / 1_000_000)} s`;
}

function rounded(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : Math.round(value).toLocaleString('en-US');
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
