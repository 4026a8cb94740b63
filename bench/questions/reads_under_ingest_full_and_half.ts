// What does a page cost while documents come in? Pages at random depth of an index that is written to: idle, at half the
// rate that it takes, and at the full one. The rates are among the figures.
//
// No page is asked for twice, as far as there are pages: what a server keeps of one is worthless after the next commit, so idle
// would be measured by what writes rightly take away.
//
// Writes make the index several times as large, more than the log keeps in memory: idle is asked again when they are over, and it is
// that, of the index as it is under writes, that the half rate is compared with.

import { BUSY, type Busy, endBusy, makeBusy } from '../busy.ts';
import { randomFrom } from '../corpus.ts';
import { SORT, searchRequest, sortBody } from '../listing.ts';
import {
  type Claim,
  over,
  type PeerName,
  type Question,
  type Row,
  type Setting,
  type Target,
} from '../question.ts';
import { allAtRest, figureOf, measure, type Sum } from '../timing.ts';

const LOADS = ['idle', 'full', 'half', 'idle after'] as const;
const WRITTEN = ['full', 'half'] as const;
const TIMES = 3;
const SIZE = 20;

export const readsUnderIngest: Question = {
  name: 'reads_under_ingest_full_and_half',
  asks: 'What does a page cost while documents come in?',
  async run(setting) {
    const busy = await makeBusy(setting);
    const pages = LOADS.map((load): Row => ({ name: `page, ${load}`, unit: 'µs', figures: {} }));
    const rates = WRITTEN.map((load): Row => ({ name: `ingest, ${load}`, unit: 'docs/s', figures: {} }));
    for (const target of setting.servers) {
      await allAtRest(setting);
      let full: number | undefined;
      for (const [at, load] of LOADS.entries()) {
        if (load === 'idle after') await allAtRest(setting);
        const { reads, rate } = await under(setting, busy, target, load, full);
        if (load === 'full') full = rate;
        const [page, ingest] = [pages[at], rates[at - 1]];
        if (page) page.figures[target.name] = figureOf(reads);
        if (ingest) ingest.figures[target.name] = { median: rate };
      }
    }
    await endBusy(setting);
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
        measured: over(p99('page, full'), 1000),
        unit: 'ms',
        atMost: 8,
      },
      {
        work,
        says: 'p99 of a page at half rate / idle',
        measured: over(p99('page, half'), p99('page, idle after')),
        unit: '×',
        atMost: 3,
      },
    ];
  },
};

/** Where a page can begin, each place once, by a fixed seed. */
function offsets(documents: number): number[] {
  const all = Array.from({ length: Math.max(1, documents - SIZE) }, (_, offset) => offset);
  const random = randomFrom(3);
  for (let i = all.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [all[i], all[other]] = [all[other]!, all[i]!];
  }
  return all;
}

async function under(
  setting: Setting,
  busy: Busy,
  target: Target,
  load: (typeof LOADS)[number],
  full: number | undefined,
): Promise<{ reads: Sum; rate: number }> {
  const forMs = setting.mostMs * TIMES;
  const requests = offsets(busy.base).map((from) =>
    searchRequest({ query: { match_all: {} }, sort: sortBody(SORT), from, size: SIZE }, BUSY),
  );
  const rate = load === 'half' ? Math.max(1, (full ?? 2) / 2) : undefined;
  const writing = load.startsWith('idle') ? undefined : setting.beside.run(busy.job(target, forMs, rate));
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
  };
}
