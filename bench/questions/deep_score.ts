// What does a deep page of the best matches cost? Pages that begin at the thousandth match and near the last, beside scoring
// everything (a count of matches above a score that all exceed) and, where it answers at all, beside OpenSearch.

import { expectSameBest } from '../best.ts';
import { costs } from '../compare.ts';
import { randomFrom } from '../corpus.ts';
import { searchRequest } from '../listing.ts';
import type { Request } from '../load.ts';
import { toWire } from '../queries.ts';
import { type Claim, expectEqual, type Hit, type Question, search } from '../question.ts';
import { timeAll } from '../timing.ts';

const SIZE = 20;
const CLASS = 'OR of 2 common';

export const deepScore: Question = {
  name: 'deep_score',
  asks: 'What does a deep page of the best matches cost?',
  async run(setting) {
    const { truth } = setting;
    const c = truth.classes.findIndex(({ name }) => name === CLASS);
    const random = randomFrom(17);
    const asked = (truth.classes[c]?.queries ?? []).map((query, q) => {
      const total = truth.totals[c]?.[q] ?? 0;
      const deep = Math.floor(random() * Math.max(1, Math.min(9_000, total - SIZE)));
      return { query: toWire(query), total, deep };
    });
    for (const { query, total, deep } of asked.slice(0, 4)) {
      const text = JSON.stringify(query);
      const pages: Hit[][] = [];
      for (const target of setting.servers) {
        const all = await search(target, { query, size: 0, min_score: 1e-9, track_total_hits: true });
        expectEqual(target, `total of ${text}`, all.hits.total?.value, total);
        const page = await search(target, { query, size: SIZE, from: deep });
        pages.push([...page.hits.hits]);
      }
      expectSameBest(pages, text, deep);
    }
    const all = asked.map(({ query }) =>
      // Else the peer keeps the reply and does not score at all.
      uncached(searchRequest({ query, size: 0, min_score: 1e-9, track_total_hits: true })),
    );
    const deep = asked.map(({ query, deep }) => searchRequest({ query, size: SIZE, from: deep }));
    // Each page once: a second look would find the ranked list of the first.
    const fresh = asked.flatMap(({ query, deep }) =>
      [0.3, 0.6, 0.9].map((share) => searchRequest({ query, size: SIZE, from: Math.floor(deep * share) })),
    );
    return timeAll(setting, [
      { name: 'scoring everything', requests: () => all },
      { name: 'deep page', requests: () => deep },
      { name: 'deep page, several of each', requests: () => fresh },
    ]);
  },
  claims: (rows): Claim[] => [
    {
      work: 'deep page in _score order',
      says: 'deep page / scoring everything',
      ...costs(rows, 'deep page', 'scoring everything'),
      unit: '×',
      atMost: 1.5,
    },
  ],
};

function uncached(request: Request): Request {
  return { ...request, path: `${request.path}?request_cache=false` };
}
