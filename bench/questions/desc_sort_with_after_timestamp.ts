// What does a page in the middle cost, for who knows the last item of the page before? search_after at twenty-five places
// around the middle, newest first; a keyset, where the peer is a table.

import { SORT } from '../listing.ts';
import { timePages } from '../listing-times.ts';
import type { Question } from '../question.ts';

export const descSortWithAfterTimestamp: Question = {
  name: 'desc_sort_with_after_timestamp',
  asks: 'What does a page in the middle cost, for who knows the item before?',
  asksTables: true,
  run: (setting) => timePages(setting, 'desc_sort_with_after_timestamp', { sort: SORT, middle: true }),
};
