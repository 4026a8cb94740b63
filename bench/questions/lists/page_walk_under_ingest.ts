// A walk while documents are added and replaced: does it miss or repeat a document, and what does a page
// cost? By next_token in Octavo and search_after in the peer, newest first, 100 per page, until every
// document that existed at the start has been returned. Each must be returned exactly once.

import {
  BACKGROUND_INDEX,
  prepareBackgroundWrites,
  removeBackgroundWrites,
} from '../../measure/background-writes.ts';
import { SORT, sortBody } from '../../measure/listing.ts';
import { type Claim, medianOf, type Question, type Row } from '../../measure/question.ts';
import { figureOf, measure } from '../../measure/timing.ts';

const SIZE = 100;
const RATE = 2000;

export const pageWalkUnderIngest: Question = {
  name: 'page_walk_under_ingest',
  asks: 'Does a walk miss or repeat anything while documents come in?',
  async run(setting) {
    const busy = await prepareBackgroundWrites(setting);
    const pages: Row = { name: 'page of the walk', unit: 'µs', figures: {} };
    const wrong: Row = { name: 'documents missed or repeated', unit: 'documents', figures: {} };
    const base = new Set(setting.truth.ids.slice(0, busy.base));
    for (const target of setting.servers) {
      const tokens = target.name === 'octavo';
      const writing = setting.backgroundLoad.run(busy.job(target, setting.maxMs, setting.smoke ? 500 : RATE));
      const sum = await measure(setting, target, 'page_walk_under_ingest', {
        kind: 'walk',
        by: tokens ? 'next_token' : 'search_after',
        url: target.url,
        path: `/${BACKGROUND_INDEX}/_search`,
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
    await removeBackgroundWrites(setting);
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
