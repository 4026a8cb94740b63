// The rate of an export by scroll: all documents, 1,000 per page, on one connection.

import { exportRates } from '../../measure/export-rates.ts';
import { timesOpenSearch } from '../../measure/figures-compared.ts';
import { type Claim, medianOf, type Question } from '../../measure/question.ts';

const NAME = 'export_scroll';

export const exportScroll: Question = {
  name: NAME,
  asks: 'How fast does everything come out again, by scroll?',
  run: (setting) => exportRates(setting, NAME, 'scroll'),
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
