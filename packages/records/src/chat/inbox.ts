// The inbox of a member: their chats, those with the latest message first, each with its last message and the number of unread
// ones. Chats without messages are placed by their creation.

import type { Selectable } from 'kysely';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../contracts/keyset-page.ts';
import type { ReadContext, ReadOperation } from '../contracts/operation.ts';
import { type Entry, entryOfRow } from '../entries/entry.ts';
import type { EntryTable } from '../schema/entry-tables.ts';
import { sql } from '../schema/kysely.ts';
import { type ChatView, type ReadView, readChatView, spaceOfChat } from './chat.ts';
import { readMemberView } from './member-operations.ts';

/** The place of a chat in an inbox: the time of its last activity in ms since 1970, then its id. */
export type InboxKey = readonly [time: bigint, chat: string];

/** A chat as one of its members sees it. */
export interface InboxChat {
  readonly key: InboxKey;
  readonly chat: ChatView;
  readonly member: ReadView;
  readonly lastMessage: Entry | undefined;
}

/** A page of an inbox. */
export interface InboxRequest extends KeysetRequest<InboxKey> {
  readonly member: string;
}

/** The chats of a member, latest activity first. Takes time in proportion to the memberships of the member. */
export const listInbox: ReadOperation<InboxRequest, KeysetPage<InboxChat>> = {
  kind: 'read',
  name: 'chat.inbox',
  async run(context, request) {
    const { member } = request;
    const { rows, ...sides } = await keysetPage(
      request,
      (from, backwards, most) => keysBeyond(context, member, from, backwards, most),
      (key) => key,
    );
    const chats: InboxChat[] = [];
    for (const key of rows) {
      const [, chat] = key;
      chats.push({
        key,
        chat: await readChatView(context.db, chat),
        member: await readMemberView(context, { chat, member }),
        lastMessage: await lastMessage(context, chat),
      });
    }
    return { rows: chats, ...sides };
  },
};

async function keysBeyond(
  { db }: ReadContext,
  member: string,
  from: InboxKey | undefined,
  backwards: boolean,
  most: number,
): Promise<InboxKey[]> {
  const order = sql.raw(backwards ? 'ASC' : 'DESC');
  const beyond =
    from === undefined
      ? sql``
      : sql`WHERE (activity, id) ${sql.raw(backwards ? '>' : '<')} (${from[0]}, ${from[1]})`;
  const { rows } = await sql<{ readonly activity: bigint; readonly id: string }>`
    SELECT activity, id FROM (
      SELECT chat.id AS id, COALESCE((
        SELECT entry.created_at FROM entry_space JOIN entry ON entry.space = entry_space.number
        WHERE entry_space.name = 'chat:' || chat.id ORDER BY entry.position DESC LIMIT 1
      ), chat.created_at) AS activity
      FROM chat_member JOIN chat ON chat.id = chat_member.chat WHERE chat_member.member = ${member}
    ) AS inbox ${beyond} ORDER BY activity ${order}, id ${order} LIMIT ${most}`.execute(db);
  return rows.map(({ activity, id }) => [activity, id]);
}

async function lastMessage({ db }: ReadContext, chat: string): Promise<Entry | undefined> {
  const { rows } = await sql<Selectable<EntryTable>>`
    SELECT entry.* FROM entry_space JOIN entry ON entry.space = entry_space.number
    WHERE entry_space.name = ${spaceOfChat(chat)} ORDER BY entry.position DESC LIMIT 1`.execute(db);
  return rows[0] === undefined ? undefined : entryOfRow(rows[0]);
}
