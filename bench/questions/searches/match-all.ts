// A search without a condition: the first twenty documents, without a sort.

import { expectFirstDocs, firstDocs, respellRequests, searchRequest } from '../../measure/listing.ts';
import { expectEqual, type Question, search } from '../../measure/question.ts';
import { timeAll } from '../../measure/timing.ts';

const BODY = { query: { match_all: {} }, size: 20 };

export const matchAll: Question = {
  name: 'match-all',
  asks: 'What does a search without any condition cost?',
  async run(setting) {
    for (const target of setting.servers) {
      const reply = await search(target, { ...BODY, track_total_hits: true });
      expectEqual(target, 'total of match_all', reply.hits.total?.value, setting.truth.live);
      expectEqual(target, 'hits of match_all', reply.hits.hits.length, 20);
      const ids = reply.hits.hits.map((hit) => hit._id);
      expectFirstDocs(setting, target, 'match_all', ids, firstDocs(setting.truth), 20);
    }
    return timeAll(setting, [{ name: 'match-all', requests: respellRequests([searchRequest(BODY)]) }]);
  },
};
