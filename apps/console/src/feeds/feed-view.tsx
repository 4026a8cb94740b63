// A feed as an app shows it: newest first, older pages by cursor, any page by number, new posts as they come.

import type { Entries, Entry } from '@octavo/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useEvents } from '../frame/live.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { hrefOf, navigate, setParams, useRoute } from '../frame/router.ts';
import { useClient } from '../frame/session.ts';
import { itemOf, replaceEntry } from './cached-entries.ts';
import { Compose, useAuthor } from './compose.tsx';
import { EntryCard } from './entry-card.tsx';
import { Numbered, PageForm } from './numbered.tsx';

const PAGE = 20;

export function FeedView(): ReactNode {
  const route = useRoute();
  const client = useClient();
  const name = route.path[1];
  const feed = (name === undefined ? client.feed : client.feedOf(name)) as unknown as Entries<Entry>;
  const [author, setAuthor] = useAuthor();
  const [posted, setPosted] = useState<ReadonlySet<string>>(new Set());
  const queries = useQueryClient();
  const queryKey = ['feed', name];
  const number = Number(route.params.get('page') ?? 0) || undefined;
  const refresh = (): void => {
    setPosted(new Set());
    void queries.invalidateQueries({ queryKey });
  };
  // A new post waits until the reader wants it; a change is shown where the post is.
  const follow = async (type: string, subject: string | undefined): Promise<void> => {
    const { feed: of, id } = itemOf(subject);
    if (of !== name) return;
    if (type === 'octavo.item.created') setPosted((before) => new Set([...before, id]));
    else replaceEntry(queries, queryKey, id, type === 'octavo.item.deleted' ? undefined : await feed.get(id));
  };
  // An item that is deleted meanwhile has an event of its own.
  const isFollowed = useEvents('item.*', (...event) => void follow(...event).catch(() => undefined));
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
        <Compose entries={feed} author={author} onPosted={refresh} />
        {number === undefined ? (
          <Cursored entries={feed} queryKey={queryKey} posted={posted} onChanged={refresh} />
        ) : (
          <Numbered
            key={name}
            entries={feed}
            queryKey={queryKey}
            size={PAGE}
            noun="posts"
            page={number}
            onChanged={refresh}
            onPage={(page) => setParams({ page: String(page) })}
          />
        )}
      </div>
    </div>
  );
}

interface CursoredProps {
  readonly entries: Entries<Entry>;
  readonly queryKey: readonly unknown[];
  /** The ids of new posts, also of those that are shown by now. */
  readonly posted: ReadonlySet<string>;
  readonly onChanged: () => void;
}

function Cursored({ entries, queryKey, posted, onChanged }: CursoredProps): ReactNode {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKey, 'cursor'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const start = pageParam === undefined ? {} : { max_id: pageParam };
      return (await entries.list({ limit: PAGE, signal, ...start }).first()).reply;
    },
    getNextPageParam: ({ next_max_id }) => next_max_id,
  });
  const items = data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = new Set(items.map(({ id }) => id));
  const newer = [...posted].filter((id) => !shown.has(id)).length;
  return (
    <>
      {newer > 0 ? (
        <button type="button" className="button newer wide" onClick={onChanged}>
          {newer} new {newer === 1 ? 'post' : 'posts'} · show
        </button>
      ) : null}
      <ProblemOf error={error} />
      {items.map((entry) => (
        <EntryCard key={entry.id} entry={entry} entries={entries} onChanged={onChanged} />
      ))}
      {data !== undefined && items.length === 0 ? (
        <p className="muted">Nothing has been posted here yet.</p>
      ) : null}
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
