// The three plots of docs/benchmarks.md, made from the rows of their questions: a page by its depth, texts that are asked for the
// first time, and a page by the number of documents.

import type { PeerName, Row } from '../measure/question.ts';
import { decades, label, logScale, SHOWN, svg, timeText, WIDTH } from './svg.ts';

const HEIGHT = 380;
const [LEFT, RIGHT, TOP, BOTTOM] = [70, WIDTH - 190, 50, HEIGHT - 56];
/** Where page 1 stands on the axis of depths, which begins at 100. */
const PAGE_ONE = 10;
/** The least distance between two labels. */
const APART = 17;

interface Point {
  readonly x: number;
  readonly micros: number;
}

interface Curves {
  readonly title: string;
  readonly axis: string;
  readonly curves: readonly (readonly [peer: PeerName, points: readonly Point[]])[];
  tick(x: number): string;
}

/** A page by `from`, by depth. `live`: the documents in the list. */
export function depthPlot(rows: readonly Row[], live: number): string {
  return curvesPlot({
    title: `One page of 20, sorted, by its depth in ${live.toLocaleString('en-US')} documents (median)`,
    axis: 'items before the page (from)',
    curves: curvesOf(rows, /^depth ([\d,]+), from$/).map(([peer, points]) => [
      peer,
      points.map((point) => ({ ...point, x: point.x === 0 ? PAGE_ONE : point.x })),
    ]),
    tick: (x) => (x === PAGE_ONE ? 'page 1' : x.toLocaleString('en-US')),
  });
}

/** A random page by `from`, by the number of documents. */
export function growthPlot(rows: readonly Row[]): string {
  return curvesPlot({
    title: 'A random page of 20, sorted, by the size of the list (median)',
    axis: 'documents',
    curves: curvesOf(rows, /^([\d,]+) documents, random page$/),
    tick: (x) => x.toLocaleString('en-US'),
  });
}

/** Texts that are asked for the first time, one group of bars per kind of query. */
export function textPlot(rows: readonly Row[], docs: number): string {
  const bar = 18;
  const values = rows.flatMap(({ figures }) => Object.values(figures).map(({ median }) => median));
  const most = Math.max(...values);
  const peers = SHOWN.filter(([peer]) => rows.some(({ figures }) => figures[peer] !== undefined));
  const parts: string[] = [];
  let y = 44;
  for (const { name, figures } of rows) {
    parts.push(label(150, y + bar * (peers.length / 2) + 4, name, '', 'end'));
    for (const [peer, shown] of peers) {
      const median = figures[peer]?.median;
      if (median === undefined) continue;
      const width = ((WIDTH - 380) * median) / most;
      parts.push(
        `<rect class="bar ${peer}" x="160" y="${y + 2}" width="${width.toFixed(1)}" height="${bar - 4}" rx="2"/>`,
      );
      parts.push(label(168 + width, y + bar - 5, `${shown} ${timeText(median)}`, peer));
      y += bar;
    }
    y += 12;
  }
  const title = `The ten best matches of a text asked for the first time, ${docs.toLocaleString('en-US')} documents (median)`;
  return svg(title, y + 4, parts);
}

function curvesOf(rows: readonly Row[], pattern: RegExp): [PeerName, Point[]][] {
  return SHOWN.flatMap(([peer]): [PeerName, Point[]][] => {
    const points = rows.flatMap(({ name, figures }): Point[] => {
      const x = pattern.exec(name)?.[1]?.replaceAll(',', '');
      const micros = figures[peer]?.median;
      return x === undefined || micros === undefined ? [] : [{ x: Number(x), micros }];
    });
    return points.length === 0 ? [] : [[peer, points]];
  });
}

function curvesPlot({ title, axis, curves, tick }: Curves): string {
  const points = curves.flatMap(([, each]) => each);
  const ticks = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const times = decades(points.map(({ micros }) => micros));
  const x = logScale([ticks[0]!, ticks.at(-1)!], [LEFT, RIGHT]);
  const y = logScale([times[0]!, times.at(-1)!], [BOTTOM, TOP]);
  const grid = times.flatMap((time) => [
    `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(time).toFixed(1)}" y2="${y(time).toFixed(1)}"/>`,
    label(LEFT - 8, y(time) + 4, timeText(time), 'axis', 'end'),
  ]);
  const marks = ticks.map((at) => label(x(at), BOTTOM + 20, tick(at), 'axis', 'middle'));
  const lines = curves.map(([peer, each]) => {
    const at = each.map((point) => `${x(point.x).toFixed(1)},${y(point.micros).toFixed(1)}`);
    const dots = at.map((place) => {
      const [cx, cy] = place.split(',');
      return `<circle class="${peer}" cx="${cx}" cy="${cy}" r="3.5"/>`;
    });
    return `<polyline class="line ${peer}" points="${at.join(' ')}"/>${dots.join('')}`;
  });
  const middle = label((LEFT + RIGHT) / 2, HEIGHT - 12, axis, 'axis', 'middle');
  return svg(title, HEIGHT, [...grid, ...marks, middle, ...lines, ...namesOf(curves, y)]);
}

/** The name and the last figure of each curve at its end, moved apart where they would overlap. */
function namesOf(curves: Curves['curves'], y: (micros: number) => number): string[] {
  const names = curves
    .map(([peer, points]) => ({ peer, micros: points.at(-1)!.micros, at: y(points.at(-1)!.micros) + 4 }))
    .sort((a, b) => a.at - b.at);
  let before = Number.NEGATIVE_INFINITY;
  return names.map(({ peer, micros, at }) => {
    before = Math.max(at, before + APART);
    const shown = SHOWN.find(([name]) => name === peer)?.[1] ?? peer;
    return label(RIGHT + 12, before, `${shown} ${timeText(micros)}`, peer);
  });
}
