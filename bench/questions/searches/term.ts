// A filter by one value: twenty documents of a section, each section in turn, without a sort.

import { SECTIONS } from '../../corpus/corpus.ts';
import {
  expectFirstDocs,
  firstDocs,
  queryBody,
  respellRequests,
  searchRequest,
} from '../../measure/listing.ts';
import { expectEqual, type Question, search } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';

const body = (section: number): object => ({
  query: { bool: { filter: [queryBody(section)] } },
  size: 20,
});

export const term: Question = {
  name: 'term',
  asks: 'What does a filter by one value cost?',
  async run(setting) {
    const sections = Array.from({ length: SECTIONS }, (_, section) => section);
    for (const target of setting.servers) {
      for (const section of setting.smoke ? [2] : [0, 2, 20]) {
        const reply = await search(target, { ...body(section), track_total_hits: true });
        const expected = setting.truth.sectionSizes[section];
        expectEqual(target, `total of section ${section}`, reply.hits.total?.value, expected);
        const ids = reply.hits.hits.map((hit) => hit._id);
        expectFirstDocs(setting, target, `section ${section}`, ids, firstDocs(setting.truth, section), 20);
      }
    }
    const requests = respellRequests(sections.map((section) => searchRequest(body(section))));
    return timeAll(setting, [{ name: 'term', requests }]);
  },
};
