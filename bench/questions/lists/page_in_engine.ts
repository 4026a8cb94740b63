// The engine's time to find a page at any depth, without HTTP: random pages in an order by date
// (bench/inprocess/pages.ts, in a separate process), with the orders of all segments merged, and selected
// across 24 segments.

import { fileURLToPath } from 'node:url';
import { runProgram } from '../../inprocess/run-program.ts';
import { type Claim, medianOf, type Question, type Row } from '../../measure/question.ts';

const PROGRAM = fileURLToPath(new URL('../../inprocess/pages.ts', import.meta.url));
/** Independent of the corpus size of the run, because orders of few documents are not merged. */
const DOCS = 500_000;
const WORK = 'any page, in the engine';
const MERGED = 'random page, merged';
const SELECTED = 'random page, 24 segments';

export const pageInEngine: Question = {
  name: 'page_in_engine',
  asks: 'What does it take to find a page, without HTTP?',
  async run({ truth, smoke }) {
    const docs = smoke ? truth.docs : DOCS;
    const lines = await runProgram(PROGRAM, ['--docs', String(docs), '--pages', smoke ? '200' : '20000']);
    return lines.flatMap((line): Row[] => {
      const [name, median, p99] = line.split(' | ');
      if (p99 === undefined) return [];
      const figure = { median: Number(median), p99: Number(p99) };
      return [{ name: `random page, ${name}`, unit: 'µs', figures: { octavo: figure } }];
    });
  },
  claims: (rows): Claim[] => [
    {
      work: WORK,
      says: 'orders of all segments merged, median',
      measured: medianOf(rows, MERGED, 'octavo'),
      unit: 'µs',
      atMost: 10,
    },
    {
      work: WORK,
      says: 'selected across 24 segments, p99',
      measured: rows.find(({ name }) => name === SELECTED)?.figures.octavo?.p99,
      unit: 'µs',
      atMost: 70,
    },
  ],
};
