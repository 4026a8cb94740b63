// The rate of replacing documents: the same bulk requests again, over existing ids.

import { bulkRounds, corpusFile } from '../../measure/bulk-rounds.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import type { Claim, Question } from '../../measure/question.ts';

const NAME = 'bulk_existing_ids';

export const bulkExistingIds: Question = {
  name: NAME,
  asks: 'How fast are documents replaced?',
  run: async (setting) => [await bulkRounds(setting, NAME, corpusFile(setting), { fresh: false })],
  claims: (rows): Claim[] => [
    {
      work: 'bulk ingest, durable and searchable when acknowledged',
      says: 'over existing ids, × a warm OpenSearch',
      ...timesOpenSearch(rows, NAME),
      unit: '×',
      atLeast: 5,
    },
  ],
};
