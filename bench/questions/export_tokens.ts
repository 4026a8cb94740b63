// And without any state on the server? A walk by next_token over all documents by id, 1,000 a page, on one connection. The
// peer has search_after for that.

import { timesOpenSearch } from '../compare.ts';
import { exportBy } from '../export.ts';
import type { Claim, Question } from '../question.ts';

const NAME = 'export_tokens';

export const exportTokens: Question = {
  name: NAME,
  asks: 'How fast does everything come out again, by tokens?',
  run: (setting) => exportBy(setting, NAME, 'next_token'),
  claims: (rows): Claim[] => [
    {
      work: 'export by scroll or tokens',
      says: 'tokens, × search_after of a warm OpenSearch',
      ...timesOpenSearch(rows, NAME),
      unit: '×',
      atLeast: 5,
    },
  ],
};
