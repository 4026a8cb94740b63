// The rate of an export without state on the server: a walk by next_token over all documents by id, 1,000 per
// page, on one connection. The peer uses search_after.

import { exportRates } from '../../measure/export-rates.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import type { Claim, Question } from '../../measure/question.ts';

const NAME = 'export_tokens';

export const exportTokens: Question = {
  name: NAME,
  asks: 'How fast does everything come out again, by tokens?',
  run: (setting) => exportRates(setting, NAME, 'next_token'),
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
