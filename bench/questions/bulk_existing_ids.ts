// How fast are documents replaced? The same bulk requests again, over ids that are there.

import { bulkRounds, corpusFile } from '../bulk-rounds.ts';
import { type Claim, medianOf, over, type Question } from '../question.ts';

const NAME = 'bulk_existing_ids';

export const bulkExistingIds: Question = {
  name: NAME,
  asks: 'How fast are documents replaced?',
  run: async (setting) => [await bulkRounds(setting, NAME, corpusFile(setting), { fresh: false })],
  claims: (rows): Claim[] => [
    {
      work: 'bulk ingest, durable and searchable when acknowledged',
      says: 'over existing ids, × a warm OpenSearch',
      measured: over(medianOf(rows, NAME, 'octavo'), medianOf(rows, NAME, 'opensearch')),
      unit: '×',
      atLeast: 5,
    },
  ],
};
