// Chats as a member sees them: the inbox with unread counts, and one chat with its messages.

import type { Chat, Entries, Entry } from '@octavo/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useEvents } from '../frame/live.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { hrefOf, navigate, setParams, useRoute } from '../frame/router.ts';
import { useClient } from '../frame/session.ts';
import { timeText } from '../frame/time-text.ts';
import { Compose, useAuthor } from './compose.tsx';
import { EntryCard } from './entry-card.tsx';
import { Numbered, PageForm } from './numbered.tsx';

const PAGE = 30;

export function ChatsView(): ReactNode {
  const { path, params } = useRoute();
  const page = Number(params.get('page') ?? 0) || undefined;
  const [member, setMember] = useAuthor();
  const queries = useQueryClient();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['chats'] });
  useEvents('message.*,chat.*', refresh);
  return (
    <div className="split chats">
      <Inbox member={member} onMember={setMember} chosen={path[1]} />
      {path[1] === undefined ? (
        <p className="muted pad">Choose a chat.</p>
      ) : (
        <Thread key={path[1]} id={path[1]} page={page} member={member} onChanged={refresh} />
      )}
    </div>
  );
}

function Inbox({
  member,
  onMember,
  chosen,
}: {
  readonly member: string;
  readonly onMember: (member: string) => void;
  readonly chosen: string | undefined;
}): ReactNode {
  const client = useClient();
  const { data, error, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['chats', 'inbox', member],
    enabled: member !== '',
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const token = pageParam === undefined ? {} : { next_token: pageParam };
      return (await client.chats.list({ member, limit: PAGE, signal, ...token }).first()).reply;
    },
    getNextPageParam: ({ next }) => next,
  });
  const chats = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="inbox" aria-label="Inbox">
      <label className="inline">
        Inbox of
        <input value={member} onChange={(event) => onMember(event.target.value)} />
      </label>
      <ProblemOf error={error} />
      {data !== undefined && chats.length === 0 ? <p className="muted">{member} is in no chat.</p> : null}
      <ul>
        {chats.map(({ id, title, unread, active_at, last_message }) => (
          <li key={id}>
            <a href={`#/chats/${encodeURIComponent(id)}`} aria-current={id === chosen ? 'true' : undefined}>
              <strong>{title ?? id}</strong>
              <time dateTime={active_at}>{timeText(active_at)}</time>
              <span className="preview">
                {last_message === undefined ? 'No message yet' : last_message.text}
              </span>
              {unread > 0 ? <span className="badge">{unread} unread</span> : null}
            </a>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" className="button" onClick={() => void fetchNextPage()}>
          More chats
        </button>
      ) : null}
    </section>
  );
}

function Thread({
  id,
  page,
  member,
  onChanged,
}: {
  readonly id: string;
  readonly page: number | undefined;
  readonly member: string;
  readonly onChanged: () => void;
}): ReactNode {
  const client = useClient();
  const chat = client.chat(id);
  const messages = chat.messages as unknown as Entries<Entry>;
  const facts = useQuery({ queryKey: ['chats', id, 'facts'], queryFn: ({ signal }) => chat.get({ signal }) });
  return (
    <section className="thread" aria-label="Messages">
      <header className="bar">
        <h1>{facts.data?.title ?? id}</h1>
        <span className="muted">
          {facts.data === undefined
            ? ''
            : `${facts.data.member_count} members, ${facts.data.message_count} messages`}
        </span>
        <PageForm
          page={page}
          onPage={(next) => setParams({ page: next === undefined ? undefined : String(next) })}
        />
        <ReadButton chat={chat} member={member} onRead={onChanged} />
        <button type="button" className="button quiet" onClick={() => navigate(hrefOf(['chats']))}>
          Close
        </button>
      </header>
      <ProblemOf error={facts.error} />
      {page === undefined ? (
        <Newest id={id} messages={messages} onChanged={onChanged} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        <section className="messages" tabIndex={0} aria-label="Messages of the chat">
          <Numbered
            entries={messages}
            queryKey={['chats', id, 'numbered']}
            size={PAGE}
            noun="messages"
            page={page}
            onChanged={onChanged}
            onPage={(next) => setParams({ page: String(next) })}
          />
        </section>
      )}
      <Compose entries={messages} author={member} onPosted={onChanged} />
    </section>
  );
}

/** Marks everything as read, up to the newest message. */
function ReadButton({
  chat,
  member,
  onRead,
}: {
  readonly chat: Chat;
  readonly member: string;
  readonly onRead: () => void;
}): ReactNode {
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const newest = (await chat.messages.list({ limit: 1 }).first()).items[0];
      if (newest !== undefined) await chat.markRead(member, newest.id);
    },
    onSuccess: onRead,
  });
  return (
    <>
      <button className="button" type="button" onClick={() => mutate()}>
        Mark as read
      </button>
      <ProblemOf error={error} />
    </>
  );
}

/** The newest messages, at the bottom, and older ones by cursor. */
function Newest({
  id,
  messages: entries,
  onChanged,
}: {
  readonly id: string;
  readonly messages: Entries<Entry>;
  readonly onChanged: () => void;
}): ReactNode {
  const { data, error, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['chats', id, 'messages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const start = pageParam === undefined ? {} : { max_id: pageParam };
      return (await entries.list({ limit: PAGE, signal, ...start }).first()).reply;
    },
    getNextPageParam: ({ next_max_id }) => next_max_id,
  });
  // Newest at the bottom.
  const messages = (data?.pages.flatMap(({ items }) => items) ?? []).toReversed();
  const newest = messages.at(-1)?.id;
  const box = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: messages.length,
    getScrollElement: () => box.current,
    estimateSize: () => 84,
    getItemKey: (i) => messages[i]!.id,
    overscan: 6,
  });
  useEffect(() => {
    if (messages.length > 0) rows.scrollToIndex(messages.length - 1, { align: 'end' });
  }, [newest]);
  return (
    <>
      <ProblemOf error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section className="messages" ref={box} tabIndex={0} aria-label="Messages of the chat">
        {hasNextPage ? (
          <button type="button" className="button" onClick={() => void fetchNextPage()}>
            Older messages
          </button>
        ) : null}
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="message"
              style={{ transform: `translateY(${start}px)` }}
            >
              <EntryCard entry={messages[index]!} entries={entries} onChanged={onChanged} />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}
