// The rate of bulk ingest: requests of 2,000 documents on 4 connections into an empty index, both servers
// warmed by a first index of the same size. Octavo's writes are durable and searchable when acknowledged; the
// peer's refresh is not counted.

import { bulkRounds, corpusFile } from '../../measure/bulk-rounds.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import type { Claim, Question } from '../../measure/question.ts';

export const bulk: Question = {
  name: 'bulk',
  asks: 'How fast do documents go in?',
  run: async (setting) => [await bulkRounds(setting, 'bulk', corpusFile(setting), { fresh: true })],
  claims: (rows): Claim[] => [
    {
      work: 'bulk ingest, durable and searchable when acknowledged',
      says: 'new documents, × a warm OpenSearch',
      ...timesOpenSearch(rows, 'bulk'),
      unit: '×',
      atLeast: 4,
    },
  ],
};
