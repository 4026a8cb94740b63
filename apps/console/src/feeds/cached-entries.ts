// Entries in the cache of the queries: which are shown, and how one that has changed is replaced without loading its list again.

import type { Entry } from '@octavo/client';
import type { QueryClient } from '@tanstack/react-query';

interface EntryPage {
  readonly items: readonly Entry[];
}

/** What a list of entries has in the cache: one page, or several. */
type CachedList = EntryPage | { readonly pages: readonly EntryPage[] } | undefined;

/** Puts `entry` in the place of the one with this id; undefined removes it. */
export function replaceEntry(
  queries: QueryClient,
  queryKey: readonly unknown[],
  id: string,
  entry: Entry | undefined,
): void {
  const change = <Page extends EntryPage>(page: Page): Page => ({
    ...page,
    items: page.items.flatMap((each) => (each.id === id ? (entry ?? []) : each)),
  });
  queries.setQueriesData<CachedList>({ queryKey }, (list) => {
    if (list === undefined) return undefined;
    return 'pages' in list ? { ...list, pages: list.pages.map(change) } : change(list);
  });
}

/** The name of the feed that the subject of an event names, and the id of the item: `newsfeed/ID?feed=NAME`. */
export function itemOf(subject = ''): { readonly feed: string | undefined; readonly id: string } {
  const [path = '', query] = subject.split('?', 2);
  return { feed: new URLSearchParams(query).get('feed') ?? undefined, id: path.split('/').at(-1) ?? '' };
}
