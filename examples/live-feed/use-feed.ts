// The state of a feed on the screen: items newest first, older pages by token, and how many new items are waiting.

import type { Item, OctavoClient, OctavoEvent } from '@octavo/client';
import { useCallback, useEffect, useRef, useState } from 'react';

const PAGE_SIZE = 20;

interface FeedState {
  readonly items: readonly Item[];
  /** Items that were posted and are not shown yet. */
  readonly newer: number;
  readonly hasOlder: boolean;
  readonly showNewer: () => void;
  readonly showOlder: () => void;
}

export function useFeed(octavo: OctavoClient): FeedState {
  const [items, setItems] = useState<readonly Item[]>([]);
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [token, setToken] = useState<string>();
  const newest = useRef<string>(undefined);
  newest.current = items[0]?.id;

  const showNewer = useCallback(async () => {
    const since = newest.current === undefined ? {} : { since_id: newest.current };
    const { items: added, reply } = await octavo.feed.list({ limit: PAGE_SIZE, ...since }).first();
    // More new items than a page has: the list starts anew, and its older pages fill what is between.
    const isGap = newest.current !== undefined && reply.more;
    if (newest.current === undefined || isGap) setToken(reply.next);
    setItems((shown) => (isGap ? added : withoutRepeats([...added, ...shown])));
    setWaiting(new Set());
  }, [octavo]);

  const showOlder = useCallback(async () => {
    if (token === undefined) return;
    const { items: older, reply } = await octavo.feed.list({ limit: PAGE_SIZE, next_token: token }).first();
    setItems((shown) => withoutRepeats([...shown, ...older]));
    setToken(reply.next);
  }, [octavo, token]);

  useEffect(() => {
    const left = new AbortController();
    const follow = async (): Promise<void> => {
      // The position comes before the first page, so no post is missed between both.
      const query = { format: 'json', limit: 1 };
      const position = { method: 'GET', path: '/api/events', query, safe: true } as const;
      const { next } = await octavo.call<{ next: string }>(position);
      await showNewer();
      const events = octavo.events({ since: next, signal: left.signal, params: { types: 'item.*' } });
      for await (const event of events) await apply(event);
    };
    const apply = async ({ type, subject = '' }: OctavoEvent): Promise<void> => {
      // The subject of an item is newsfeed/ID; of one in a named feed newsfeed/ID?feed=NAME.
      if (subject.includes('?')) return;
      const id = subject.split('/').at(-1) ?? '';
      if (type === 'octavo.item.created') setWaiting((before) => new Set([...before, id]));
      else if (type === 'octavo.item.deleted') setItems((shown) => shown.filter((item) => item.id !== id));
      else {
        const changed = await octavo.feed.get(id);
        setItems((shown) => shown.map((item) => (item.id === id ? changed : item)));
      }
    };
    follow().catch((error) => left.signal.aborted || console.error(error));
    return () => left.abort();
  }, [octavo, showNewer]);

  const newer = [...waiting].filter((id) => !items.some((item) => item.id === id)).length;
  return { items, newer, hasOlder: token !== undefined, showNewer, showOlder };
}

function withoutRepeats(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
