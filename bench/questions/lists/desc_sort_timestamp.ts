// The first page in descending order: twenty documents by date, newest first. This is the most read page; it
// is found and printed anew each time.

import type { Question } from '../../measure/question.ts';
import { timePages } from '../../measure/time-pages.ts';

export const descSortTimestamp: Question = {
  name: 'desc_sort_timestamp',
  asks: 'What does the newest page cost?',
  asksTables: true,
  run: (setting) =>
    timePages(setting, 'desc_sort_timestamp', {
      sort: [
        ['gmt_modified', 'desc'],
        ['score', 'desc'],
        ['id', 'asc'],
      ],
    }),
};
