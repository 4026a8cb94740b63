// And from the oldest on? search_after at twenty-five places around the middle, oldest first.

import { reversed, SORT } from '../listing.ts';
import { timePages } from '../listing-times.ts';
import type { Question } from '../question.ts';

export const ascSortWithAfterTimestamp: Question = {
  name: 'asc_sort_with_after_timestamp',
  asks: 'What does a page in the middle cost, from the oldest on?',
  asksTables: true,
  run: (setting) =>
    timePages(setting, 'asc_sort_with_after_timestamp', { sort: reversed(SORT), middle: true }),
};
