// What does the oldest page cost? Twenty documents by date, oldest first.

import { timePages } from '../listing-times.ts';
import type { Question } from '../question.ts';

export const ascSortTimestamp: Question = {
  name: 'asc_sort_timestamp',
  asks: 'What does the oldest page cost?',
  asksTables: true,
  run: (setting) =>
    timePages(setting, 'asc_sort_timestamp', {
      sort: [
        ['gmt_modified', 'asc'],
        ['score', 'asc'],
        ['id', 'desc'],
      ],
    }),
};
