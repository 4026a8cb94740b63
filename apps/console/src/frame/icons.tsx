// The icons of the console, drawn on a grid of 16. They are decoration: the text beside them, or the label of their button, says it.

import type { ReactElement } from 'react';

const PATHS = {
  list: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  query: 'M6 3.5 2.5 8 6 12.5M10 3.5 13.5 8 10 12.5',
  feed: 'M3 3.5h10v9H3zM5.5 6.5h5M5.5 9.5h3',
  chat: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  ledger: 'M2.5 5.5h11v7h-11zM2.5 5.5 11 3v2.5M10.5 9h.5',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.1M5 11h.1',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  dark: 'M13 9.4A5.4 5.4 0 0 1 6.6 3a5.4 5.4 0 1 0 6.4 6.4z',
  system: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  key: 'M9.5 9.5a3.2 3.2 0 1 0-3-3l-4 4v2.5H5v-2h2v-1.5zM10.7 5.3h.1',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10.2 10.2l3.3 3.3',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M4 6.5 8 10.5l4-4',
  up: 'M4 9.5 8 5.5l4 4',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  export: 'M8 2.5v7M5 6.8 8 9.8l3-3M3 12.8h10',
  jump: 'M3 3v10M6 8h7M10 5l3 3-3 3',
  columns: 'M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  link: 'M6.5 9.5l3-3M5 7 3.6 8.4a2.5 2.5 0 0 0 3.6 3.6L8.6 10.600M11 9l1.400-1.400a2.500 2.500 0 0 0-3.600-3.600L7.400 5.400',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
