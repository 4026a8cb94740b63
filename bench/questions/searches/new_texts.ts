// Texts that are asked for the first time: every query of a case is sent once to each server. `top10` measures repeated
// texts, whose plans and lists the servers may have kept.

import { randomFrom } from '../../corpus/corpus.ts';
import { newQueries, toWire } from '../../corpus/queries.ts';
import type { Request } from '../../load/load.ts';
import { searchRequest } from '../../measure/listing.ts';
import {
  expectEqual,
  type Hit,
  type Question,
  type Row,
  search,
  type Target,
} from '../../measure/question.ts';
import { expectSameBestHits } from '../../measure/same-best-hits.ts';
import { timeAll } from '../../measure/timing.ts';

const CHECKED = 10;
const SEED = 1823;

export const newTexts: Question = {
  name: 'new_texts',
  asks: 'What does a text cost that nobody has asked before?',
  async run(setting) {
    const { servers, truth, maxRequests } = setting;
    const rows: Row[] = [];
    // A turn may get a few requests more than its share.
    const classes = newQueries(randomFrom(SEED), truth.docs, 2 * maxRequests + CHECKED);
    for (const { name, queries } of classes) {
      const bodies = queries.map((query) => ({ query: toWire(query), size: 10 }));
      for (const body of bodies.slice(0, CHECKED)) {
        const text = JSON.stringify(body.query);
        const answers: Hit[][] = [];
        let total: number | undefined;
        for (const target of servers) {
          const { hits } = await search(target, { ...body, track_total_hits: true });
          expectEqual(target, `total of ${text}`, hits.total?.value, (total ??= hits.total?.value));
          answers.push([...hits.hits]);
        }
        expectSameBestHits(answers, text);
      }
      const sent = new Map<Target, number>();
      const requests = (target: Target, count: number): Request[] => {
        const from = sent.get(target) ?? CHECKED;
        sent.set(target, from + count);
        return Array.from({ length: count }, (_, k) => searchRequest(bodies[(from + k) % bodies.length]!));
      };
      rows.push(...(await timeAll(setting, [{ name, requests }])));
    }
    return rows;
  },
};
