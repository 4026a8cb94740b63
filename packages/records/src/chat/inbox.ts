// The inbox of a member: their chats, those with the latest message first, each with its last message and the number of unread
// ones. Chats without messages are placed by their creation.

import { type KeysetPage, type KeysetRequest, keysetPage } from '../contracts/keyset-page.ts';
import type { ReadContext, ReadOperation } from '../contracts/operation.ts';
import { type Entry, entryOfRow } from '../entries/entry.ts';
import { findSpace } from '../entries/space.ts';
import { sql } from '../schema/kysely.ts';
import { type ChatView, readChatView, spaceOfChat } from './chat.ts';
import { countUnread } from './member-operations.ts';

/** The place of a chat in an inbox: the time of its last activity in ms since 1970, then its id. */
export type InboxKey = readonly [time: bigint, chat: string];

/** A chat as one of its members sees it. */
export interface InboxChat {
  readonly key: InboxKey;
  readonly chat: ChatView;
  /** Null before the first. */
  readonly readMessageId: string | null;
  /** Live messages of others after it. */
  readonly unread: number;
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
      (from, backwards, most) => rowsBeyond(context, member, from, backwards, most),
      keyOf,
    );
    const chats: InboxChat[] = [];
    for (const row of rows) chats.push(await inboxChat(context, row, member));
    return { rows: chats, ...sides };
  },
};

interface InboxRow {
  readonly activity: bigint;
  readonly id: string;
  readonly read_position: bigint;
  readonly read_id: string | null;
}

function keyOf({ activity, id }: InboxRow): InboxKey {
  return [activity, id];
}

async function rowsBeyond(
  { db }: ReadContext,
  member: string,
  from: InboxKey | undefined,
  backwards: boolean,
  most: number,
): Promise<InboxRow[]> {
  const order = sql.raw(backwards ? 'ASC' : 'DESC');
  const beyond =
    from === undefined
      ? sql``
      : sql`WHERE (activity, id) ${sql.raw(backwards ? '>' : '<')} (${from[0]}, ${from[1]})`;
  const { rows } = await sql<InboxRow>`
    SELECT activity, id, read_position, read_id FROM (
      SELECT chat.id AS id, read_position, read_id, COALESCE((
        SELECT entry.created_at FROM entry_space JOIN entry ON entry.space = entry_space.number
        WHERE entry_space.name = 'chat:' || chat.id ORDER BY entry.position DESC LIMIT 1
      ), chat.created_at) AS activity
      FROM chat_member JOIN chat ON chat.id = chat_member.chat WHERE chat_member.member = ${member}
    ) AS inbox ${beyond} ORDER BY activity ${order}, id ${order} LIMIT ${most}`.execute(db);
  return rows;
}

async function inboxChat(context: ReadContext, row: InboxRow, member: string): Promise<InboxChat> {
  const { db } = context;
  const space = await findSpace(db, spaceOfChat(row.id));
  return {
    key: keyOf(row),
    chat: await readChatView(db, row.id),
    readMessageId: row.read_id,
    unread: await countUnread(context, space, Number(row.read_position), member),
    lastMessage: space === undefined ? undefined : await lastMessage(db, space.number),
  };
}

async function lastMessage(db: ReadContext['db'], space: number): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('entry')
    .selectAll()
    .where('space', '=', BigInt(space))
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : entryOfRow(row);
}
