// Which view an address shows. A view is loaded when it is first opened.

import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { hrefOf, navigate, useRoute } from '../frame/router.ts';
import { useSession } from '../frame/session.ts';
import { Shell, type View } from '../frame/shell.tsx';
import { ListPage } from '../list/list-page.tsx';

const FeedView = lazy(async () => ({ default: (await import('../feeds/feed-view.tsx')).FeedView }));
const ChatsView = lazy(async () => ({ default: (await import('../feeds/chats-view.tsx')).ChatsView }));
const AccountsView = lazy(async () => ({
  default: (await import('../accounts/accounts-view.tsx')).AccountsView,
}));
const QueryView = lazy(async () => ({ default: (await import('../query/query-view.tsx')).QueryView }));
const ServerView = lazy(async () => ({ default: (await import('../server/server-view.tsx')).ServerView }));

const VIEWS: readonly View[] = [
  { name: 'list', label: 'Documents', icon: 'list' },
  { name: 'query', label: 'Query', icon: 'query' },
  { name: 'feed', label: 'Feed', icon: 'feed' },
  { name: 'chats', label: 'Chats', icon: 'chat' },
  { name: 'accounts', label: 'Accounts', icon: 'ledger' },
  { name: 'server', label: 'Server', icon: 'server' },
];

export function App(): ReactElement {
  const { path } = useRoute();
  const [view = 'list', ...rest] = path;
  const { client } = useSession();
  const queries = useQueryClient();
  // With another key everything may look different.
  useEffect(() => void queries.resetQueries(), [client, queries]);
  useEffect(() => {
    if (path.length === 0) navigate(hrefOf(['list']), true);
  }, [path]);
  return (
    <Shell views={VIEWS} current={view}>
      <Suspense fallback={<p className="loading">Loading…</p>}>
        <ViewOf name={view} path={rest} />
      </Suspense>
    </Shell>
  );
}

function ViewOf({ name, path }: { readonly name: string; readonly path: readonly string[] }): ReactElement {
  switch (name) {
    case 'list':
      return <ListPage index={path[0]} />;
    case 'query':
      return <QueryView />;
    case 'feed':
      return <FeedView />;
    case 'chats':
      return <ChatsView />;
    case 'accounts':
      return <AccountsView />;
    case 'server':
      return <ServerView />;
    default:
      return (
        <section className="problem">
          <h2>There is no such view</h2>
          <p>
            The address names <code>{name}</code>. <a href={hrefOf(['list'])}>Go to the documents</a>
          </p>
        </section>
      );
  }
}
