// The ten best matches, by class of query: BM25 on the body, 20 queries per class in turn. Totals are
// compared with a naive count, scores and ids between the servers. SQLite ranks by its own BM25, so only its
// totals are compared. Every request has a new spelling, so hits are printed each time. Repeated queries have
// a cached plan; `new_texts` measures texts that are asked for the first time.

import { toWire } from '../../corpus/queries.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import { respellRequests, searchRequest } from '../../measure/listing.ts';
import {
  type Claim,
  expectEqual,
  type Hit,
  type Question,
  type Row,
  search,
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
