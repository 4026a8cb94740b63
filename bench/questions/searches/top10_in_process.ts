// The ten best matches in process, compared with Tantivy on the same documents, segments and deletions
// (bench/inprocess/topk.ts, in a separate process), with kernels and with their TypeScript twins. Ratios
// compare the medians over queries of each one's best time, which noise affects least.

import { fileURLToPath } from 'node:url';
import { runProgram } from '../../inprocess/run-program.ts';
import type { Claim, Question, Row, Setting } from '../../measure/question.ts';

const PROGRAM = fileURLToPath(new URL('../../inprocess/topk.ts', import.meta.url));
const WORK = 'BM25 top-10 in process';
const MOST_DOCS = 100_000;
const MODES = { top: 'top 10', exact: 'exact total', fetch: 'with documents' } as const;
const WAYS = { wasm: 'kernels', ts: 'TypeScript' } as const;

/** Class and mode, the peer's best time, and for each variant of Octavo its best time, the ratio, and the ratio of its worst query. */
const LINE = /^(.+?) +(top|exact|fetch) +\| .*?\(([\d.]+)\) \| (wasm .*?) \| (ts .*)$/;
const WAY = /^\w+ .*?\(([\d.]+)\) × .*?of best ([\d.]+), worst query ([\d.]+)$/;

export const top10InProcess: Question = {
  name: 'top10_in_process',
  asks: 'How far is the fastest library, in process?',
  async run(setting) {
    const lines = await output(setting);
    const rows: Row[] = [];
    for (const line of lines) {
      const [, name = '', mode = '', peer, ...ways] = LINE.exec(line) ?? [];
      for (const [at, way] of (['wasm', 'ts'] as const).entries()) {
        const [, own, ratio, worst] = WAY.exec(ways[at] ?? '') ?? [];
        if (own === undefined || peer === undefined) continue;
        const title = `${name}, ${MODES[mode as keyof typeof MODES]}, ${WAYS[way]}`;
        rows.push(
          {
            name: title,
            unit: 'µs',
            figures: { octavo: { median: Number(own) }, tantivy: { median: Number(peer) } },
          },
          { name: `${title}: ratio`, unit: '× Tantivy', figures: { octavo: { median: Number(ratio) } } },
          {
            name: `${title}: worst query`,
            unit: '× Tantivy',
            figures: { octavo: { median: Number(worst) } },
          },
        );
      }
    }
    if (rows.length === 0) throw new Error('cargo is needed to build Tantivy');
    return rows;
  },
  claims(rows) {
    const claims: Claim[] = [];
    for (const [name, most] of Object.entries(BOUNDS)) {
      for (const mode of ['top', 'exact'] as const) {
        const title = `${name}, ${MODES[mode]}, ${WAYS.wasm}`;
        const atMost = mode === 'top' ? most : name.startsWith('phrase') ? 0.6 : 0.2;
        claims.push({ ...claim(title, ratioOf(rows, `${title}: ratio`)), atMost });
      }
    }
    const highest = (ending: string): number | undefined => {
      const all = rows.filter((row) => row.name.endsWith(ending) && !row.name.includes(MODES.fetch));
      return all.length === 0 ? undefined : Math.max(...all.map((row) => row.figures.octavo?.median ?? 0));
    };
    claims.push({ ...claim('any single query, kernels', highest(`${WAYS.wasm}: worst query`)), atMost: 0.7 });
    claims.push({ ...claim('any class, TypeScript', highest(`${WAYS.ts}: ratio`)), atMost: 0.6 });
    return claims;
  },
};

const BOUNDS = {
  'rare term': 0.15,
  'common term': 0.15,
  'OR of 2 common': 0.2,
  'OR of 3 to 5': 0.2,
  'AND of 2': 0.25,
  'phrase of 2': 0.15,
};

function claim(says: string, measured: number | undefined): Claim {
  return { work: WORK, says: `${says}, × Tantivy`, measured, unit: '×' };
}

function ratioOf(rows: readonly Row[], name: string): number | undefined {
  return rows.find((row) => row.name === name)?.figures.octavo?.median;
}

/** Parses the lines that the program prints. */
function output({ truth, maxRequests }: Setting): Promise<string[]> {
  const args = [
    '--docs',
    String(Math.min(MOST_DOCS, truth.docs)),
    '--rounds',
    String(maxRequests > 200 ? 10 : 5),
  ];
  return runProgram(PROGRAM, args, '; it needs cargo to build Tantivy');
}
