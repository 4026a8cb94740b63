// A page of a scroll, as in the public workloads: 25 pages of 1,000 documents, in index order.

import { expectFirstDocs, firstDocs } from '../../measure/listing.ts';
import { INDEX, type Question, type Row } from '../../measure/question.ts';
import { addSums, figureOf, type JobSum, measure, roundsOf } from '../../measure/timing.ts';

const PAGES = 25;

export const scroll: Question = {
  name: 'scroll',
  asks: 'What does a page of a scroll cost?',
  async run(setting) {
    const size = setting.smoke ? 20 : 1000;
    const row: Row = { name: `scroll, pages of ${size}`, unit: 'µs', figures: {} };
    const sums = new Map(
      setting.servers.map((target): [typeof target, JobSum | undefined] => [target, undefined]),
    );
    for (let round = 0; round <= roundsOf(setting, 4); round++) {
      for (const [target, sum] of sums) {
        const next = await measure(setting, target, row.name, {
          kind: 'walk',
          by: 'scroll',
          url: target.url,
          path: `/${INDEX}/_search?scroll=1m`,
          body: { query: { match_all: {} }, size },
          most: PAGES * size,
          keepIds: round === 0,
        });
        if (round === 0)
          expectFirstDocs(
            setting,
            target,
            'a scroll',
            next.measured.ids,
            firstDocs(setting.truth),
            PAGES * size,
          );
        if (round > 0) sums.set(target, addSums(sum, next));
      }
    }
    for (const [target, sum] of sums) if (sum) row.figures[target.name] = figureOf(sum);
    return [row];
  },
};
