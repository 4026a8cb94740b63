// What do the ten best matches cost, by kind of query? BM25 on the body, 20 queries of each kind in turn. Totals are
// compared with a naive count, scores between the servers. SQLite ranks by a BM25 of its own: only totals can be compared.

import { timesOpenSearch } from '../compare.ts';
import { searchRequest } from '../listing.ts';
import { toWire } from '../queries.ts';
import { type Claim, expectEqual, type Question, type Row, search } from '../question.ts';
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
        const scores: number[][] = [];
        for (const target of targets) {
          const reply = await search(target, { ...body, track_total_hits: true });
          expectEqual(target, `total of ${text}`, reply.hits.total?.value, truth.totals[c]?.[q]);
          if (servers.includes(target)) scores.push(reply.hits.hits.map((hit) => hit._score ?? 0));
        }
        compareScores(scores, text);
      }
      const requests = bodies.map((body) => searchRequest(body));
      const exact = bodies.map((body) => searchRequest({ ...body, track_total_hits: true }));
      rows.push(...(await timeAll(setting, [{ name, requests: () => requests }], { targets })));
      rows.push(...(await timeAll(setting, [{ name: `${name}, exact total`, requests: () => exact }])));
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

/** Equal to a hundred-thousandth. */
function compareScores([first = [], ...others]: readonly number[][], query: string): void {
  for (const other of others) {
    const near =
      first.length === other.length &&
      first.every((score, at) => Math.abs(score / (other[at] ?? 0) - 1) < 1e-5);
    if (!near)
      throw new Error(`the scores of ${query} differ: ${first.slice(0, 4)} and ${other.slice(0, 4)}`);
  }
}
