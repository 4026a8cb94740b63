// The ten best matches, by class of query: BM25 on the body, 20 queries per class in turn. Totals are
// compared with a naive count, scores and ids between the servers. SQLite ranks by its own BM25, so only its
// totals are compared. Every request has a new spelling, so hits are printed each time. Repeated queries have
// a cached plan, but what a person types mostly does not; so a last case uses each query only once.

import { randomFrom } from '../../corpus/corpus.ts';
import { orOfSome, toWire } from '../../corpus/queries.ts';
import type { Request } from '../../load/load.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import { respellRequests, searchRequest } from '../../measure/listing.ts';
import {
  type Claim,
  expectEqual,
  type Hit,
  type Question,
  type Row,
  type Setting,
  search,
  type Target,
} from '../../measure/question.ts';
import { expectSameBestHits } from '../../measure/same-best-hits.ts';
import { timeAll } from '../../measure/timing.ts';

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
        expectSameBestHits(answers, text);
      }
      const requests = bodies.map((body) => searchRequest(body));
      const exact = bodies.map((body) => searchRequest({ ...body, track_total_hits: true }));
      rows.push(...(await timeAll(setting, [{ name, requests: respellRequests(requests) }], { targets })));
      rows.push(
        ...(await timeAll(setting, [{ name: `${name}, exact total`, requests: respellRequests(exact) }])),
      );
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

/** Queries that never repeat except in the warm-up turn. Every target gets the same ones. */
async function eachNew(setting: Setting): Promise<Row[]> {
  const { servers, smoke } = setting;
  const randoms = new Map<Target, () => number>();
  const next = (target: Target): object => {
    let random = randoms.get(target);
    if (random === undefined) randoms.set(target, (random = randomFrom(SEED)));
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
    expectSameBestHits(answers, JSON.stringify(bodies[0]));
  }
  const requests = (target: Target, count: number): Request[] =>
    Array.from({ length: count }, () => searchRequest(next(target)));
  return timeAll(setting, [{ name: 'OR of 3 to 5, each new', requests }]);
}

const SEED = 907;
