// Does a walk miss or repeat anything while documents come in and are replaced, and what does a page of it cost? By
// next_token here and by search_after at the peer, from the newest on, 100 a page, until every document that was there from
// the beginning has come. Each must come exactly once.

import { BUSY, endBusy, makeBusy } from '../busy.ts';
import { SORT, sortBody } from '../listing.ts';
import { type Claim, medianOf, type Question, type Row } from '../question.ts';
import { figureOf, measure } from '../timing.ts';

const SIZE = 100;
const RATE = 2000;

export const pageWalkUnderIngest: Question = {
  name: 'page_walk_under_ingest',
  asks: 'Does a walk miss or repeat anything while documents come in?',
  async run(setting) {
    const busy = await makeBusy(setting);
    const pages: Row = { name: 'page of the walk', unit: 'µs', figures: {} };
    const wrong: Row = { name: 'documents missed or repeated', unit: 'documents', figures: {} };
    const base = new Set(setting.truth.ids.slice(0, busy.base));
    for (const target of setting.servers) {
      const tokens = target.name === 'octavo';
      const writing = setting.beside.run(busy.job(target, setting.mostMs, setting.smoke ? 500 : RATE));
      const sum = await measure(setting, target, 'page_walk_under_ingest', {
        kind: 'walk',
        by: tokens ? 'next_token' : 'search_after',
        url: target.url,
        path: `/${BUSY}/_search`,
        body: {
          query: { match_all: {} },
          sort: sortBody(SORT),
          size: setting.smoke ? 10 : SIZE,
          ...(tokens && { tokens: true }),
        },
        most: Number.MAX_SAFE_INTEGER,
        keepIds: true,
      });
      const written = await writing;
      if (written.error !== undefined) throw new Error(`${target.name}: ${written.error}`);
      const came = sum.measured.ids.filter((id) => base.has(id));
      const distinct = new Set(came).size;
      pages.figures[target.name] = figureOf(sum);
      wrong.figures[target.name] = { median: busy.base - distinct + (came.length - distinct) };
    }
    await endBusy(setting);
    return [pages, wrong];
  },
  claims: (rows): Claim[] => [
    {
      work: 'any page, any depth, filtered or not',
      says: 'documents that a walk under writes missed or repeated',
      measured: medianOf(rows, 'documents missed or repeated', 'octavo'),
      unit: 'documents',
      atMost: 0,
    },
  ],
};
