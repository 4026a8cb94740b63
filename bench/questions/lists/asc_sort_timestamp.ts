// The first page in ascending order: twenty documents by date, oldest first.

import type { Question } from '../../measure/question.ts';
import { timePages } from '../../measure/time-pages.ts';

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
