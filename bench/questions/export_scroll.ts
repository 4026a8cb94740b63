// How fast does everything come out again? A scroll over all documents, 1,000 a page, on one connection.

import { timesOpenSearch } from '../compare.ts';
import { exportBy } from '../export.ts';
import { type Claim, medianOf, type Question } from '../question.ts';

const NAME = 'export_scroll';

export const exportScroll: Question = {
  name: NAME,
  asks: 'How fast does everything come out again, by scroll?',
  run: (setting) => exportBy(setting, NAME, 'scroll'),
  claims: (rows): Claim[] => [
    {
      work: 'export by scroll or tokens',
      says: 'scroll, × a warm OpenSearch',
      ...timesOpenSearch(rows, NAME),
      unit: '×',
      atLeast: 5,
    },
    {
      work: 'export by scroll or tokens',
      says: 'growth of resident memory while three million documents come, for each',
      measured: medianOf(rows, `${NAME}, growth of memory`, 'octavo'),
      unit: 'bytes',
      atMost: 50,
    },
  ],
};
