// A feed as an app shows it: newest first, older pages by cursor, any page by number, new posts as they come.

import type { Entry } from '@octavo/client';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useEvents } from '../frame/live.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { hrefOf, navigate, setParams, useRoute } from '../frame/router.ts';
import { useClient } from '../frame/session.ts';
import { Compose, useAuthor } from './compose.tsx';
import { EntryCard } from './entry-card.tsx';

const PAGE = 20;

export function FeedView(): ReactNode {
  const route = useRoute();
  const client = useClient();
  const name = route.path[1];
  const feed = name === undefined ? client.feed : client.feedOf(name);
  const [author, setAuthor] = useAuthor();
  const [isLive, setLive] = useState(0);
  const queries = useQueryClient();
  const number = Number(route.params.get('page') ?? 0) || undefined;
  const refresh = (): void => {
    setLive(0);
    void queries.invalidateQueries({ queryKey: ['feed', name] });
  };
  const isFollowed = useEvents(
    'item.*',
    (type) => type.endsWith('item.created') && setLive((count) => count + 1),
  );
  return (
    <div className="scrolled">
      <div className="column">
        <header className="bar">
          <h1>{name ?? 'Feed'}</h1>
          <label className="inline">
            Feed
            <input
              defaultValue={name ?? ''}
              placeholder="default"
              onKeyDown={(event) => {
                const { value } = event.currentTarget;
                if (event.key === 'Enter') navigate(hrefOf(value === '' ? ['feed'] : ['feed', value]));
              }}
            />
          </label>
          <label className="inline">
            You are
            <input value={author} onChange={(event) => setAuthor(event.target.value)} />
          </label>
          <PageForm
            page={number}
            onPage={(page) => setParams({ page: page === undefined ? undefined : String(page) })}
          />
        </header>
        {isFollowed ? null : (
          <p className="notice">This key may not follow events: new posts are not shown by themselves.</p>
        )}
        <Compose entries={feed as never} author={author} onPosted={refresh} />
        {isLive > 0 && number === undefined ? (
          <button type="button" className="button newer wide" onClick={refresh}>
            {isLive} new {isLive === 1 ? 'post' : 'posts'} · show
          </button>
        ) : null}
        {number === undefined ? (
          <Cursored name={name} onChanged={refresh} />
        ) : (
          <Numbered
            name={name}
            page={number}
            onChanged={refresh}
            onPage={(page) => setParams({ page: String(page) })}
          />
        )}
      </div>
    </div>
  );
}

function PageForm({
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

interface PartProps {
  readonly name: string | undefined;
  readonly onChanged: () => void;
}

function Cursored({ name, onChanged }: PartProps): ReactNode {
  const client = useClient();
  const feed = name === undefined ? client.feed : client.feedOf(name);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['feed', name, 'cursor'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const start = pageParam === undefined ? {} : { max_id: pageParam };
      return (await feed.list({ limit: PAGE, signal, ...start }).first()).reply;
    },
    getNextPageParam: ({ next_max_id }) => next_max_id,
  });
  return (
    <>
      <ProblemOf error={error} />
      <Entries name={name} items={data?.pages.flatMap(({ items }) => items) ?? []} onChanged={onChanged} />
      {data?.pages[0]?.items.length === 0 ? <p className="muted">Nothing has been posted here yet.</p> : null}
      {hasNextPage ? (
        <button
          type="button"
          className="button"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Older posts
        </button>
      ) : null}
    </>
  );
}

function Numbered({
  name,
  page,
  onPage,
  onChanged,
}: PartProps & { readonly page: number; readonly onPage: (page: number) => void }): ReactNode {
  const client = useClient();
  const feed = name === undefined ? client.feed : client.feedOf(name);
  const [asOf, setAsOf] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ['feed', name, 'page', page, asOf],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const reply = await feed.page(page, {
        limit: PAGE,
        signal,
        ...(asOf === undefined ? {} : { as_of: asOf }),
      });
      // The pages of one walk are of one moment, so that none repeats or misses an item.
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
            {data.total.toLocaleString('en')} posts
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
      <Entries name={name} items={data?.items ?? []} onChanged={onChanged} />
    </>
  );
}

function Entries({ name, items, onChanged }: PartProps & { readonly items: readonly Entry[] }): ReactNode {
  const client = useClient();
  const feed = name === undefined ? client.feed : client.feedOf(name);
  return items.map((entry) => (
    <EntryCard key={entry.id} entry={entry} entries={feed as never} onChanged={onChanged} />
  ));
}
