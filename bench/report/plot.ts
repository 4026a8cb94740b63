// The plot of a run: one bar per claim on a logarithmic scale, to the right of the target's line if the
// target is met, to the left if it is missed. Colours follow the reader's colour scheme; text and marks
// repeat what colours say.

import type { Claim } from '../measure/question.ts';
import { boundText, claimsByWork, isMet, margin, measuredText, type Report } from './report.ts';

const ROW = 22;
const LABEL = 430;
const HALF = 190;
const FIGURES = 240;
const WIDTH = LABEL + 2 * HALF + FIGURES;
/** The plot ends at this many times better, or worse. */
const MOST = 16;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .work { font-weight: 600 } .axis { fill: #59636e } .line { stroke: #d1d9e0 } .target { stroke: #1f2328 }
  .met { fill: #1a7f64 } .missed { fill: #c4501b }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .axis { fill: #9198a1 } .line { stroke: #3d444d } .target { stroke: #e6edf3 }
    .met { fill: #3fb68f } .missed { fill: #f0884e }
  }`;

/** An SVG document. */
export function plot(report: Pick<Report, 'at' | 'questions'>): string {
  const claims = claimsByWork(report.questions).map(({ claim }) => claim);
  const works = [...new Set(claims.map(({ work }) => work))];
  const parts: string[] = [];
  let y = 44;
  for (const work of works) {
    parts.push(text(8, y + 15, work, 'work'));
    y += ROW;
    for (const claim of claims.filter((one) => one.work === work)) {
      parts.push(bar(claim, y));
      y += ROW;
    }
    y += 6;
  }
  const title = `Targets and what was measured, ${report.at.slice(0, 10)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" width="${WIDTH}" height="${y + 8}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}\n</style>`,
    text(8, 18, title, 'work'),
    ...axis(y),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const x = (times: number): number =>
  LABEL + HALF + (HALF * Math.log2(Math.min(MOST, Math.max(1 / MOST, times)))) / Math.log2(MOST);

function axis(bottom: number): string[] {
  const marks = [1 / 16, 1 / 4, 1, 4, 16];
  return marks.flatMap((times) => {
    const name = times === 1 ? 'target' : times > 1 ? `${times} × better` : `${1 / times} × worse`;
    return [
      `<line class="${times === 1 ? 'target' : 'line'}" x1="${x(times)}" x2="${x(times)}" y1="40" y2="${bottom}"/>`,
      `<text class="axis" text-anchor="middle" x="${x(times)}" y="34">${name}</text>`,
    ];
  });
}

function bar(claim: Claim, y: number): string {
  const met = isMet(claim);
  const times = margin(claim);
  const figures = text(
    LABEL + 2 * HALF + 12,
    y + 15,
    `${measuredText(claim)} (${boundText(claim)})${met === false ? ' missed' : ''}`,
  );
  const name = text(20, y + 15, claim.says);
  if (met === undefined || times === undefined) return `${name}\n${figures}`;
  const [from, to] = [Math.min(x(1), x(times)), Math.max(x(1), x(times))];
  const shape = `<rect class="${met ? 'met' : 'missed'}" x="${from.toFixed(1)}" y="${y + 4}" width="${Math.max(2, to - from).toFixed(1)}" height="${ROW - 8}" rx="2"/>`;
  return `${name}\n${shape}\n${figures}`;
}

function text(x: number, y: number, words: string, kind = ''): string {
  return `<text${kind === '' ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
