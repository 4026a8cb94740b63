// The first use of a filter: ranges of dates at random bounds, each used twice, for the first and the second
// answer. Sorted by date, twenty hits, with the exact total.

import { FIRST_MOMENT, randomFrom, SPAN_MS } from '../../corpus/corpus.ts';
import { cpuBetween, cpuTimes, processTree } from '../../machine/processes.ts';
import { SORT, searchRequest, sortBody } from '../../measure/listing.ts';
import { quantile } from '../../measure/quantile.ts';
import { type Claim, cpuMsOf, medianOf, type Question, type Row, search } from '../../measure/question.ts';
import { timeOnce } from '../../measure/timing.ts';

const ROUNDS = 12;

export const firstUseOfFilter: Question = {
  name: 'first_use_of_filter',
  asks: 'What does a filter cost that nobody has asked for before?',
  async run(setting) {
    const { truth } = setting;
    const dates = [...truth.sorted(SORT)].map((doc) => Number(truth.sortValues(doc, SORT)[0]));
    const first: Row = { name: 'first answer', unit: 'ms', figures: {} };
    const second: Row = { name: 'second answer', unit: 'ms', figures: {} };
    for (const target of setting.servers) {
      const random = randomFrom(31);
      await search(target, { sort: sortBody(SORT), size: 20 });
      const [firsts, seconds, cpus]: number[][] = [[], [], []];
      const pids = processTree(target.pid);
      for (let round = 0; round < (setting.smoke ? 2 : ROUNDS); round++) {
        const gte = Math.floor(FIRST_MOMENT + random() * SPAN_MS * 0.9);
        const lt = Math.floor(gte + SPAN_MS * random() * 0.1);
        const query = { range: { gmt_modified: { gte, lt } } };
        const expected = dates.filter((date) => date >= gte && date < lt).length;
        const asked = { query, sort: sortBody(SORT), size: 20, track_total_hits: true };
        const request = { ...searchRequest(asked), mustHave: `"total":{"value":${expected},` };
        for (const times of [firsts, seconds]) {
          const before = cpuTimes(pids);
          times?.push(await timeOnce(setting, target, request));
          if (times === firsts) cpus?.push(cpuBetween(before, cpuTimes(pids)) ?? Number.NaN);
        }
      }
      first.figures[target.name] = {
        median: quantile(firsts ?? [], 0.5),
        p99: quantile(firsts ?? [], 0.99),
        cpu: quantile(cpus ?? [], 0.5),
      };
      second.figures[target.name] = {
        median: quantile(seconds ?? [], 0.5),
        p99: quantile(seconds ?? [], 0.99),
      };
    }
    return [first, second];
  },
  claims: (rows): Claim[] => [
    {
      work: 'first use of a new sort or filter',
      says: 'first answer of a new filter',
      measured: medianOf(rows, 'first answer', 'octavo'),
      byCpu: cpuMsOf(rows, 'first answer', 'octavo'),
      unit: 'ms',
      atMost: 50,
    },
  ],
};
