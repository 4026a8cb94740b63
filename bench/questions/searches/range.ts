// A filter by a range of dates: twenty documents of one of ten days, without a sort.

import { FIRST_MOMENT } from '../../corpus/corpus.ts';
import { expectFirstDocs, firstDocs, respellRequests, SORT, searchRequest } from '../../measure/listing.ts';
import { expectEqual, type Question, search } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';

const DAY = 86_400_000;

const from = (day: number): number => FIRST_MOMENT + 7 * day * DAY;
const body = (day: number): object => ({
  query: { bool: { filter: [{ range: { gmt_modified: { gte: from(day), lt: from(day) + DAY } } }] } },
  size: 20,
});

export const range: Question = {
  name: 'range',
  asks: 'What does a filter by a range of dates cost?',
  async run(setting) {
    const { truth } = setting;
    const all = firstDocs(truth);
    const dates = Array.from(all, (doc) => Number(truth.sortValues(doc, SORT)[0]));
    const days = Array.from({ length: 10 }, (_, day) => day);
    for (const target of setting.servers) {
      for (const day of days) {
        const reply = await search(target, { ...body(day), track_total_hits: true });
        const docs = all.filter((_, i) => dates[i]! >= from(day) && dates[i]! < from(day) + DAY);
        expectEqual(target, `total of day ${7 * day}`, reply.hits.total?.value, docs.length);
        const ids = reply.hits.hits.map((hit) => hit._id);
        expectFirstDocs(setting, target, `day ${7 * day}`, ids, docs, 20);
      }
    }
    const requests = respellRequests(days.map((day) => searchRequest(body(day))));
    return timeAll(setting, [{ name: 'range', requests }]);
  },
};
