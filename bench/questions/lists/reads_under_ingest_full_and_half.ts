// Pages at random depth of an index under writes: idle, at half the rate that the server accepts, and at the
// full rate. The rates are among the figures.
//
// - No page is requested twice, as far as there are enough pages. A cached page is invalid after the next
//   commit, so repeated pages would make the idle figure too good.
// - Writes grow the index several times, beyond what the log keeps in memory. So idle is measured again after
//   the writes, and the half rate is compared with that. Both run in turns, so noise affects both.

import { randomFrom } from '../../corpus/corpus.ts';
import {
  BACKGROUND_INDEX,
  type BackgroundWrites,
  prepareBackgroundWrites,
  removeBackgroundWrites,
} from '../../measure/background-writes.ts';
import { SORT, searchRequest, sortBody } from '../../measure/listing.ts';
import {
  type Claim,
  type PeerName,
  type Question,
  type Row,
  ratioOf,
  type Setting,
  type Target,
} from '../../measure/question.ts';
import { addSums, figureOf, type JobSum, measure, roundsOf, waitUntilAllIdle } from '../../measure/timing.ts';

const LOADS = ['idle', 'full', 'half', 'idle after'] as const;
const WRITTEN = ['full', 'half'] as const;
const TIMES = 3;
const ROUNDS = 3;
const SIZE = 20;

export const readsUnderIngest: Question = {
  name: 'reads_under_ingest_full_and_half',
  asks: 'What does a page cost while documents come in?',
  async run(setting) {
    const busy = await prepareBackgroundWrites(setting);
    const pages = LOADS.map((load): Row => ({ name: `page, ${load}`, unit: 'µs', figures: {} }));
    const rates = WRITTEN.map((load): Row => ({ name: `ingest, ${load}`, unit: 'docs/s', figures: {} }));
    for (const target of setting.servers) {
      await waitUntilAllIdle(setting);
      const forMs = setting.maxMs * TIMES;
      const idle = await under(setting, busy, target, 'idle', forMs);
      const full = await under(setting, busy, target, 'full', forMs);
      await waitUntilAllIdle(setting);
      const rounds = roundsOf(setting, ROUNDS);
      let [half, after]: [Answered?, Answered?] = [];
      for (let round = 0; round < rounds; round++) {
        half = both(half, await under(setting, busy, target, 'half', forMs / rounds, full.rate / 2));
        await waitUntilAllIdle(setting);
        after = both(after, await under(setting, busy, target, 'idle after', forMs / rounds));
      }
      for (const [at, answered] of [idle, full, half!, after!].entries())
        pages[at]!.figures[target.name] = figureOf(answered.reads);
      for (const [at, answered] of [full, half!].entries())
        rates[at]!.figures[target.name] = { median: answered.rate };
    }
    await removeBackgroundWrites(setting);
    return [...pages, ...rates];
  },
  claims(rows): Claim[] {
    const work = 'reads under ingest';
    const p99 = (name: string, peer: PeerName = 'octavo'): number | undefined =>
      rows.find((row) => row.name === name)?.figures[peer]?.p99;
    return [
      {
        work,
        says: 'p99 of a page under full ingest',
        measured: ratioOf(p99('page, full'), 1000),
        unit: 'ms',
        atMost: 8,
      },
      {
        work,
        says: 'p99 of a page at half rate / idle',
        measured: ratioOf(p99('page, half'), p99('page, idle after')),
        unit: '×',
        atMost: 3,
      },
    ];
  },
};

/** All possible starts of a page, shuffled with a fixed seed. */
function offsets(documents: number): number[] {
  const all = Array.from({ length: Math.max(1, documents - SIZE) }, (_, offset) => offset);
  const random = randomFrom(3);
  for (let i = all.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [all[i], all[other]] = [all[other]!, all[i]!];
  }
  return all;
}

/** Pages under write load, and the documents per second written meanwhile. */
interface Answered {
  readonly reads: JobSum;
  readonly rate: number;
  readonly times: number;
}

function both(a: Answered | undefined, b: Answered): Answered {
  if (a === undefined) return b;
  const times = a.times + b.times;
  return { reads: addSums(a.reads, b.reads), rate: (a.rate * a.times + b.rate * b.times) / times, times };
}

/** `rate`: the most documents per second. */
async function under(
  setting: Setting,
  busy: BackgroundWrites,
  target: Target,
  load: (typeof LOADS)[number],
  forMs: number,
  rate?: number,
): Promise<Answered> {
  const requests = offsets(busy.base).map((from) =>
    searchRequest({ query: { match_all: {} }, sort: sortBody(SORT), from, size: SIZE }, BACKGROUND_INDEX),
  );
  const limit = rate === undefined ? undefined : Math.max(1, rate);
  const writing = load.startsWith('idle')
    ? undefined
    : setting.backgroundLoad.run(busy.job(target, forMs, limit));
  const reads = await measure(setting, target, `reads, ${load}`, {
    kind: 'repeat',
    url: target.url,
    requests,
    connections: 1,
    most: Number.MAX_SAFE_INTEGER,
    mostMs: forMs,
  });
  const written = await writing;
  if (written?.error !== undefined) throw new Error(`${target.name}: ingest, ${load}: ${written.error}`);
  return {
    reads,
    rate: written === undefined ? 0 : (written.documents * busy.batch) / (written.elapsedMs / 1000),
    times: 1,
  };
}
