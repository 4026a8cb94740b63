// What do the ten best matches cost, by kind of query? BM25 on the body, 20 queries of each kind in turn. Totals are
// compared with a naive count, scores between the servers.

import { toWire } from '../queries.ts';
import {
  expectEqual,
  type Question,
  type Row,
  type Setting,
  search,
  searchRequest,
  timeAll,
} from '../question.ts';

export const top10: Question = { name: 'top10', asks: 'What do the ten best matches cost?', run };

async function run(setting: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [c, { name, queries }] of setting.truth.classes.entries()) {
    const bodies = queries.map((query) => ({ query: toWire(query), size: 10 }));
    for (const [q, body] of bodies.entries()) {
      const scores: number[][] = [];
      for (const target of setting.targets) {
        const reply = await search(target, { ...body, track_total_hits: true });
        expectEqual(
          target,
          `total of ${JSON.stringify(body.query)}`,
          reply.hits.total?.value,
          setting.truth.totals[c]?.[q],
        );
        scores.push(reply.hits.hits.map((hit) => hit._score ?? 0));
      }
      compareScores(scores, JSON.stringify(body.query));
    }
    const requests = bodies.map(searchRequest);
    rows.push(await timeAll(setting, name, () => requests));
    const exact = bodies.map((body) => searchRequest({ ...body, track_total_hits: true }));
    rows.push(await timeAll(setting, `${name}, exact total`, () => exact));
  }
  return rows;
}

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
