// The first use of a sort: the time of its first answer, and the time until pages at random depth reach their
// final cost. Each round uses a new order.

import { randomFrom } from '../../corpus/corpus.ts';
import type { Sort } from '../../corpus/truth.ts';
import { cpuBetween, cpuTimes, processTree } from '../../machine/processes.ts';
import {
  checkPage,
  type PageAddress,
  pageBody,
  randomOffsets,
  searchRequest,
} from '../../measure/listing.ts';
import { quantile } from '../../measure/quantile.ts';
import {
  type Claim,
  cpuMsOf,
  medianOf,
  type Question,
  type Row,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import { timeOnce } from '../../measure/timing.ts';

/** The orders; none is the reverse of another. */
const ORDERS: readonly Sort[] = [
  [
    ['size', 'desc'],
    ['score', 'asc'],
    ['id', 'asc'],
  ],
  [
    ['score', 'desc'],
    ['size', 'asc'],
    ['id', 'asc'],
  ],
  [
    ['size', 'asc'],
    ['gmt_modified', 'desc'],
    ['id', 'asc'],
  ],
  [
    ['score', 'asc'],
    ['gmt_modified', 'desc'],
    ['id', 'desc'],
  ],
];
const WATCHED_MS = 3000;

export const firstUseOfSort: Question = {
  name: 'first_use_of_sort',
  asks: 'What does a sort cost that nobody has asked for before?',
  async run(setting) {
    const first: Row = { name: 'first answer', unit: 'ms', figures: {} };
    const ready: Row = { name: 'until settled', unit: 'ms', figures: {} };
    const settled: Row = { name: 'settled', unit: 'ms', figures: {} };
    for (const target of setting.servers) {
      const seen: Seen[] = [];
      for (const sort of setting.smoke ? ORDERS.slice(0, 1) : ORDERS)
        seen.push(await watch(setting, target, sort));
      const median = (of: (one: Seen) => number): number => quantile(seen.map(of), 0.5);
      first.figures[target.name] = {
        median: median((one) => one.first.ms),
        cpu: median((one) => one.first.cpu),
      };
      ready.figures[target.name] = { median: median((one) => one.ready) };
      settled.figures[target.name] = { median: median((one) => one.settled) };
    }
    return [first, ready, settled];
  },
  claims: (rows): Claim[] => [
    {
      work: 'first use of a new sort or filter',
      says: 'first answer of a new sort',
      measured: medianOf(rows, 'first answer', 'octavo'),
      byCpu: cpuMsOf(rows, 'first answer', 'octavo'),
      unit: 'ms',
      atMost: 50,
    },
    {
      work: 'first use of a new sort or filter',
      says: 'its order ready after the first answer',
      measured: medianOf(rows, 'until settled', 'octavo'),
      unit: 'ms',
      atMost: 1000,
    },
  ],
};

interface Seen {
  /** Wall time, and µs of server CPU. */
  readonly first: { readonly ms: number; readonly cpu: number };
  readonly ready: number;
  readonly settled: number;
}

async function watch(setting: Setting, target: Target, sort: Sort): Promise<Seen> {
  const { truth } = setting;
  const offsets = randomOffsets(randomFrom(5), 1000, truth.live, 20);
  const time = async (offset: number): Promise<number> => {
    const place: PageAddress = { sort, offset, size: 20, mode: 'search_after' };
    return timeOnce(setting, target, searchRequest(pageBody(truth, place)));
  };
  // The truth sorts before the timing starts.
  truth.sorted(sort);
  const pids = processTree(target.pid);
  const before = cpuTimes(pids);
  const ms = await time(offsets[0] ?? 0);
  const first = { ms, cpu: cpuBetween(before, cpuTimes(pids)) ?? Number.NaN };
  const start = performance.now();
  const polls: { at: number; took: number }[] = [];
  for (let k = 1; performance.now() - start < (setting.smoke ? 50 : WATCHED_MS); k++) {
    const at = performance.now() - start;
    polls.push({ at, took: await time(offsets[k % offsets.length] ?? 0) });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await checkPage(setting, target, { sort, offset: offsets[0] ?? 0, size: 20, mode: 'from' });
  const settled = quantile(
    polls.slice(-Math.ceil(polls.length / 3)).map(({ took }) => took),
    0.5,
  );
  // The cost is final from the first window of five whose median is at most 1.5 times that of the last third.
  const windows = polls.map(({ at }, k) => ({
    at,
    took: quantile(
      polls.slice(k, k + 5).map(({ took }) => took),
      0.5,
    ),
  }));
  return { first, settled, ready: windows.find(({ took }) => took <= 1.5 * settled)?.at ?? WATCHED_MS };
}
