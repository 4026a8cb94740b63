// A list of entries by page number. All pages of one walk are of one moment, so that none repeats or misses an entry.

import type { Entries, Entry } from '@octavo/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemOf } from '../frame/problem.tsx';
import { EntryCard } from './entry-card.tsx';

/** Chooses a page; an empty number goes back to the newest entries. */
export function PageForm({
  page,
  onPage,
}: {
  readonly page: number | undefined;
  readonly onPage: (page: number | undefined) => void;
}): ReactNode {
  return (
    <label className="inline">
      Page
      <input
        key={page}
        type="number"
        min={1}
        defaultValue={page}
        placeholder="newest"
        onKeyDown={(event) => event.key === 'Enter' && onPage(Number(event.currentTarget.value) || undefined)}
      />
    </label>
  );
}

interface NumberedProps {
  readonly entries: Entries<Entry>;
  /** Names the list in the cache. */
  readonly queryKey: readonly unknown[];
  readonly size: number;
  /** What the entries are called: `posts`. */
  readonly noun: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly onChanged: () => void;
}

export function Numbered({
  entries,
  queryKey,
  size,
  noun,
  page,
  onPage,
  onChanged,
}: NumberedProps): ReactNode {
  const [asOf, setAsOf] = useState<string>();
  const { data, error } = useQuery({
    queryKey: [...queryKey, 'page', page, asOf],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const pin = asOf === undefined ? {} : { as_of: asOf };
      const reply = await entries.page(page, { limit: size, signal, ...pin });
      setAsOf(reply.as_of);
      return reply;
    },
  });
  return (
    <>
      <ProblemOf error={error} />
      {data === undefined ? null : (
        <nav className="pager" aria-label="Pages">
          <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Newer
          </button>
          <span>
            Page {page.toLocaleString('en')} of {data.page_count.toLocaleString('en')} ·{' '}
            {data.total.toLocaleString('en')} {noun}
          </span>
          <button
            type="button"
            className="button"
            disabled={page >= data.page_count}
            onClick={() => onPage(page + 1)}
          >
            Older
          </button>
        </nav>
      )}
      {data?.items.map((entry) => (
        <EntryCard key={entry.id} entry={entry} entries={entries} onChanged={onChanged} />
      ))}
    </>
  );
}
