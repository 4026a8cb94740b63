// The time of a start, from the command to the first correct answer: after a clean stop, and after kill -9.

import { cpuBetween, cpuTimes } from '../../machine/processes.ts';
import { checkPage, SORT } from '../../measure/listing.ts';
import { quantile } from '../../measure/quantile.ts';
import { type Claim, medianOf, type Question, type Row } from '../../measure/question.ts';

const ROUNDS = 3;
const ENDS = [
  ['SIGTERM', 'after a clean end'],
  ['SIGKILL', 'after kill -9'],
] as const;

export const startUp: Question = {
  name: 'start_up',
  asks: 'How long does a start take?',
  async run(setting) {
    const rows: Row[] = [];
    const cpu: Row = { name: 'CPU of a start', unit: 'ms', figures: {} };
    for (const [signal, name] of setting.smoke ? ENDS.slice(1) : ENDS) {
      const times: number[] = [];
      for (let round = 0; round < (setting.smoke ? 1 : ROUNDS); round++) {
        const listening = await setting.octavo.restart(signal);
        const start = performance.now();
        const offset = Math.floor(setting.truth.live / 2);
        await checkPage(setting, setting.octavo, { sort: SORT, offset, size: 20, mode: 'from' });
        times.push(listening + performance.now() - start);
      }
      const spent = cpuBetween(new Map(), cpuTimes([setting.octavo.pid]));
      if (spent !== undefined) cpu.figures.octavo = { median: spent / 1000 };
      rows.push({ name, unit: 'ms', figures: { octavo: { median: quantile(times, 0.5) } } });
    }
    return [...rows, cpu];
  },
  claims: (rows) =>
    ENDS.map(
      ([, name]): Claim => ({
        work: 'start to the first correct answer',
        says: name,
        measured: medianOf(rows, name, 'octavo'),
        unit: 'ms',
        atMost: 3000,
      }),
    ),
};
