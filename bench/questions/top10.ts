// What do the ten best matches cost, by kind of query? BM25 on the body, 20 queries of each kind in turn. Totals are
// compared with a naive count, scores and ids between the servers. SQLite ranks by a BM25 of its own: only totals can be
// compared. No request is spelled as one before: what was found is printed each time. Queries that come again are planned
// already; what a person types mostly is not, so at the end each one is another.

import { expectSameBest } from '../best.ts';
import { timesOpenSearch } from '../compare.ts';
import { randomFrom } from '../corpus.ts';
import { respelled, searchRequest } from '../listing.ts';
import type { Request } from '../load.ts';
import { orOfSome, toWire } from '../queries.ts';
import {
  type Claim,
  expectEqual,
  type Hit,
  type Question,
  type Row,
  type Setting,
  search,
  type Target,
} from '../question.ts';
import { timeAll } from '../timing.ts';

const CLASSES = ['rare term', 'common term', 'OR of 2 common', 'OR of 3 to 5', 'AND of 2', 'phrase of 2'];

export const top10: Question = {
  name: 'top10',
  asks: 'What do the ten best matches cost?',
  asksTables: true,
  async run(setting) {
    const rows: Row[] = [];
    const { servers, tables, truth } = setting;
    const targets = [...servers, ...tables.filter(({ name }) => name === 'sqlite')];
    for (const [c, { name, queries }] of truth.classes.entries()) {
      const bodies = queries.map((query) => ({ query: toWire(query), size: 10 }));
      for (const [q, body] of bodies.entries()) {
        if (setting.smoke && q > 3) break;
        const text = JSON.stringify(body.query);
        const answers: Hit[][] = [];
        for (const target of targets) {
          const reply = await search(target, { ...body, track_total_hits: true });
          expectEqual(target, `total of ${text}`, reply.hits.total?.value, truth.totals[c]?.[q]);
          if (servers.includes(target)) answers.push([...reply.hits.hits]);
        }
        expectSameBest(answers, text);
      }
      const requests = bodies.map((body) => searchRequest(body));
      const exact = bodies.map((body) => searchRequest({ ...body, track_total_hits: true }));
      rows.push(...(await timeAll(setting, [{ name, requests: respelled(requests) }], { targets })));
      rows.push(...(await timeAll(setting, [{ name: `${name}, exact total`, requests: respelled(exact) }])));
    }
    rows.push(...(await eachNew(setting)));
    return rows;
  },
  claims: (rows) =>
    CLASSES.flatMap((name) => [name, `${name}, exact total`]).map(
      (name): Claim => ({
        work: 'BM25 top-10 over HTTP',
        says: `${name}, × OpenSearch`,
        ...timesOpenSearch(rows, name),
        unit: '×',
        atLeast: 5,
      }),
    ),
};

/** Queries of which none comes twice, but in the turn that warms up. Every target is asked the same ones. */
async function eachNew(setting: Setting): Promise<Row[]> {
  const { servers, smoke } = setting;
  const asked = new Map<Target, () => number>();
  const next = (target: Target): object => {
    let random = asked.get(target);
    if (random === undefined) asked.set(target, (random = randomFrom(SEED)));
    return { query: toWire(orOfSome(random)), size: 10 };
  };
  for (let n = 0; n < (smoke ? 4 : 20); n++) {
    const bodies = servers.map((target) => next(target));
    const answers: Hit[][] = [];
    let total: number | undefined;
    for (const [s, target] of servers.entries()) {
      const { hits } = await search(target, { ...bodies[s], track_total_hits: true });
      expectEqual(
        target,
        `total of ${JSON.stringify(bodies[s])}`,
        hits.total?.value,
        (total ??= hits.total?.value),
      );
      answers.push([...hits.hits]);
    }
    expectSameBest(answers, JSON.stringify(bodies[0]));
  }
  const requests = (target: Target, count: number): Request[] =>
    Array.from({ length: count }, () => searchRequest(next(target)));
  return timeAll(setting, [{ name: 'OR of 3 to 5, each new', requests }]);
}

const SEED = 907;
