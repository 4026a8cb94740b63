// How fast do documents go in? Bulk requests of 2,000 on 4 connections into an empty index, both servers warmed by a first
// index of the same size. Octavo's are durable and searchable when acknowledged; the peer's refresh is not counted.

import { bulkRounds, corpusFile } from '../bulk-rounds.ts';
import { timesOpenSearch } from '../compare.ts';
import type { Claim, Question } from '../question.ts';

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
