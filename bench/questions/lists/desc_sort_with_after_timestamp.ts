// Pages in the middle in descending order: search_after at twenty-five places around the middle, newest
// first; a keyset if the peer is a table.

import { SORT } from '../../measure/listing.ts';
import type { Question } from '../../measure/question.ts';
import { timePages } from '../../measure/time-pages.ts';

export const descSortWithAfterTimestamp: Question = {
  name: 'desc_sort_with_after_timestamp',
  asks: 'What does a page in the middle cost, for who knows the item before?',
  asksTables: true,
  run: (setting) => timePages(setting, 'desc_sort_with_after_timestamp', { sort: SORT, middle: true }),
};
