// The operations on members of a chat: join, leave, list, mark as read. Unread messages are counted by rank
// (rank-tree.ts), not one by one.

import { RecordsError } from '../contracts/errors.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../contracts/keyset-page.ts';
import type {
  AnyOperation,
  ReadContext,
  ReadOperation,
  WriteContext,
  WriteOperation,
} from '../contracts/operation.ts';
import { positionOfId, wasInSpace } from '../entries/position-of-id.ts';
import { authoredAbove, liveAbove } from '../entries/rank-tree.ts';
import { findSpace, type Space } from '../entries/space.ts';
import { type MemberView, type ReadView, readChatView, requireChat, spaceOfChat } from './chat.ts';

/** One member of one chat. */
export interface MemberAddress {
  readonly chat: string;
  readonly member: string;
}

/** Adds a member who has read everything so far; an existing member stays unchanged. Throws chat-not-found. */
export const joinChat: WriteOperation<
  MemberAddress,
  { readonly joined: boolean; readonly member: ReadView }
> = {
  kind: 'write',
  name: 'chat.join',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, address) {
    const { db, now } = context;
    const { chat, member } = address;
    await requireChat(db, chat);
    const space = await findSpace(db, spaceOfChat(chat));
    const row = { chat, member, joined_at: now, read_position: (space?.positions ?? 0) - 1, read_id: null };
    const result = await db
      .insertInto('chat_member')
      .values(row)
      .onConflict((conflict) => conflict.columns(['chat', 'member']).doNothing())
      .executeTakeFirst();
    const joined = result.numInsertedOrUpdatedRows === 1n;
    if (joined) await emitMembership(context, chat, { joined: [member] });
    return { joined, member: await readMemberView(context, address) };
  },
};

/** Ends a membership. Throws chat-not-found and member-not-found. */
export const leaveChat: WriteOperation<MemberAddress, void> = {
  kind: 'write',
  name: 'chat.leave',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, address) {
    const { chat, member } = address;
    await memberRow(context, address);
    await context.db
      .deleteFrom('chat_member')
      .where('chat', '=', chat)
      .where('member', '=', member)
      .execute();
    await emitMembership(context, chat, { left: [member] });
  },
};

/** Members by name. Throws chat-not-found. */
export const membersOfChat: ReadOperation<
  { readonly chat: string } & KeysetRequest<string>,
  KeysetPage<MemberView>
> = {
  kind: 'read',
  name: 'chat.members',
  async run({ db }, { chat, ...request }) {
    await requireChat(db, chat);
    return await keysetPage(
      request,
      async (from, backwards, most) => {
        const query = db
          .selectFrom('chat_member')
          .select(['member', 'joined_at'])
          .where('chat', '=', chat)
          .orderBy('member', backwards ? 'desc' : 'asc')
          .limit(most);
        const rows = from === undefined ? query : query.where('member', backwards ? '<' : '>', from);
        return (await rows.execute()).map(({ member, joined_at }) => ({
          member,
          joined_at: new Date(Number(joined_at)).toISOString(),
        }));
      },
      ({ member }) => member,
    );
  },
};

/** How far a member has read. Throws chat-not-found and member-not-found. */
export const getReadPosition: ReadOperation<MemberAddress, ReadView> = {
  kind: 'read',
  name: 'chat.member',
  run: readMemberView,
};

/**
 * Sets the read position of a member to a message, forwards or backwards; the message may be deleted. Throws as
 * `getReadPosition`, and invalid-body for an id that is no message of the chat.
 */
export const markRead: WriteOperation<MemberAddress & { readonly messageId: string }, ReadView> = {
  kind: 'write',
  name: 'chat.read',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, { messageId, ...address }) {
    const { db } = context;
    await memberRow(context, address);
    const space = await findSpace(db, spaceOfChat(address.chat));
    if (space === undefined || !(await wasInSpace(db, space, messageId, context.now))) {
      throw new RecordsError(
        'invalid-body',
        `No message of the chat ${address.chat} has, or had, the id ${messageId}.`,
        { field: 'message_id' },
      );
    }
    const position = await positionOfId(db, space.number, messageId);
    await db
      .updateTable('chat_member')
      .set({ read_position: position, read_id: messageId.toLowerCase() })
      .where('chat', '=', address.chat)
      .where('member', '=', address.member)
      .execute();
    return await readMemberView(context, address);
  },
};

export const memberOperations: readonly AnyOperation[] = [
  joinChat,
  leaveChat,
  membersOfChat,
  getReadPosition,
  markRead,
];

async function memberRow(
  { db }: Pick<ReadContext, 'db'>,
  { chat, member }: MemberAddress,
): Promise<{ readonly joined_at: bigint; readonly read_position: bigint; readonly read_id: string | null }> {
  await requireChat(db, chat);
  const row = await db
    .selectFrom('chat_member')
    .select(['joined_at', 'read_position', 'read_id'])
    .where('chat', '=', chat)
    .where('member', '=', member)
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw new RecordsError('member-not-found', `${member} is not a member of the chat ${chat}.`, {
    field: 'member',
  });
}

/** Live messages of others above a read position; none where nothing was ever written. */
export async function countUnread(
  { db }: Pick<ReadContext, 'db'>,
  space: Space | undefined,
  position: number,
  member: string,
): Promise<number> {
  if (space === undefined) return 0;
  return (await liveAbove(db, space, position)) - (await authoredAbove(db, space.number, position, member));
}

async function readMemberView(context: Pick<ReadContext, 'db'>, address: MemberAddress): Promise<ReadView> {
  const row = await memberRow(context, address);
  const space = await findSpace(context.db, spaceOfChat(address.chat));
  return {
    member: address.member,
    joined_at: new Date(Number(row.joined_at)).toISOString(),
    read_message_id: row.read_id,
    unread: await countUnread(context, space, Number(row.read_position), address.member),
  };
}

async function emitMembership(
  context: WriteContext,
  chat: string,
  what: { readonly joined: readonly string[] } | { readonly left: readonly string[] },
): Promise<void> {
  await context.db.updateTable('chat').set({ updated_at: context.now }).where('id', '=', chat).execute();
  const view = await readChatView(context.db, chat);
  context.emit({ type: 'chat.updated', subject: `chats/${chat}`, data: { ...view, ...what } });
}
