// What does the newest page cost? Twenty documents by date, newest first. Everybody reads this page; it is found and printed anew each time.

import { timePages } from '../listing-times.ts';
import type { Question } from '../question.ts';

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
