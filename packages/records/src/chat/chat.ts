// A chat: a title, members, and whether others may write as well.

import type { Kysely } from 'kysely';
import { RecordsError } from '../contracts/errors.ts';
import type { Database } from '../schema/database.ts';

/** The public view of a chat. Times are RFC 3339. */
export interface ChatView {
  readonly id: string;
  readonly title?: string;
  /** Whether everybody may write, or only members. */
  readonly open: boolean;
  readonly member_count: number;
  readonly message_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A member without their read position. */
export interface MemberView {
  readonly member: string;
  readonly joined_at: string;
}

/** A member with their read position. */
export interface ReadView extends MemberView {
  /** Null before the first. */
  readonly read_message_id: string | null;
  /** Live messages of others after it. */
  readonly unread: number;
}

/** The space of a chat's messages. */
export function spaceOfChat(chat: string): string {
  return `chat:${chat}`;
}

/** The row of a chat. Throws chat-not-found. */
export async function requireChat(
  db: Kysely<Database>,
  id: string,
): Promise<{ readonly id: string; readonly title: string | null; readonly open: boolean }> {
  const row = await db
    .selectFrom('chat')
    .select(['id', 'title', 'open'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row !== undefined) return { ...row, open: row.open !== 0n };
  throw noChat(id);
}

function noChat(id: string): RecordsError {
  return new RecordsError('chat-not-found', `There is no chat ${id}: create it with POST /api/chats.`, {
    field: 'chat',
  });
}

/** Reads the public view of a chat. Throws chat-not-found. */
export async function readChatView(db: Kysely<Database>, id: string): Promise<ChatView> {
  const row = await db
    .selectFrom('chat')
    .leftJoin('entry_space', (join) => join.on('entry_space.name', '=', spaceOfChat(id)))
    .selectAll('chat')
    .select('entry_space.live')
    .select((eb) =>
      eb
        .selectFrom('chat_member')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .whereRef('chat_member.chat', '=', 'chat.id')
        .as('members'),
    )
    .where('chat.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw noChat(id);
  return {
    id: row.id,
    ...(row.title === null ? {} : { title: row.title }),
    open: row.open !== 0n,
    member_count: Number(row.members ?? 0),
    message_count: Number(row.live ?? 0),
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}
