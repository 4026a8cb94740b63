// Pages in the middle in ascending order: search_after at twenty-five places around the middle, oldest first.

import { reverseSort, SORT } from '../../measure/listing.ts';
import type { Question } from '../../measure/question.ts';
import { timePages } from '../../measure/time-pages.ts';

export const ascSortWithAfterTimestamp: Question = {
  name: 'asc_sort_with_after_timestamp',
  asks: 'What does a page in the middle cost, from the oldest on?',
  asksTables: true,
  run: (setting) =>
    timePages(setting, 'asc_sort_with_after_timestamp', { sort: reverseSort(SORT), middle: true }),
};
