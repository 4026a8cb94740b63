// The operations on chats: create, read, rename, delete. Members and messages have files of their own.

import { RecordsError } from '../contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteOperation } from '../contracts/operation.ts';
import { abandonSpace } from '../entries/abandoned-spaces.ts';
import { type ChatView, readChatView, requireChat, spaceOfChat } from './chat.ts';
import { listInbox } from './inbox.ts';
import { memberOperations } from './member-operations.ts';
import { messageOperations } from './message-operations.ts';

/** A new chat. */
export interface NewChat {
  /** @default a new id */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** With members, only they may write; without, everybody may. */
  readonly members?: readonly string[] | undefined;
}

/** Creates a chat. Throws already-exists. */
export const createChat: WriteOperation<NewChat, ChatView> = {
  kind: 'write',
  name: 'chat.create',
  locks: ({ id }) => [id === undefined ? 'chats' : spaceOfChat(id)],
  checksFirst: true,
  async run(context, chat) {
    const { db, now } = context;
    const id = chat.id ?? (await context.nextId('chats'));
    const taken = await db.selectFrom('chat').select('id').where('id', '=', id).executeTakeFirst();
    if (taken !== undefined)
      throw new RecordsError('already-exists', `The chat ${id} already exists.`, { field: 'id' });
    await db
      .insertInto('chat')
      .values({
        id,
        title: chat.title ?? null,
        open: chat.members === undefined ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const rows = [...new Set(chat.members ?? [])].map((member) => {
      return { chat: id, member, joined_at: now, read_position: -1, read_id: null };
    });
    if (rows.length > 0) await db.insertInto('chat_member').values(rows).execute();
    const view = await readChatView(db, id);
    const members = rows.map(({ member }) => member);
    context.emit({ type: 'chat.created', subject: `chats/${id}`, data: { ...view, members } });
    return view;
  },
};

/** A chat. Throws chat-not-found. */
export const getChat: ReadOperation<{ readonly chat: string }, ChatView> = {
  kind: 'read',
  name: 'chat.get',
  run: ({ db }, { chat }) => readChatView(db, chat),
};

/** Sets the title of a chat; null removes it. Throws chat-not-found. */
export const editChat: WriteOperation<
  { readonly chat: string; readonly title?: string | null | undefined },
  ChatView
> = {
  kind: 'write',
  name: 'chat.edit',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, { chat, title }) {
    const { db, now } = context;
    const before = await requireChat(db, chat);
    if (title === undefined || title === before.title) return await readChatView(db, chat);
    await db.updateTable('chat').set({ title, updated_at: now }).where('id', '=', chat).execute();
    const view = await readChatView(db, chat);
    context.emit({ type: 'chat.updated', subject: `chats/${chat}`, data: { ...view } });
    return view;
  },
};

/**
 * Deletes a chat with its members and messages. A new chat may have the same id; its messages have ids above the old
 * ones. Throws chat-not-found.
 */
export const deleteChat: WriteOperation<{ readonly chat: string }, void> = {
  kind: 'write',
  name: 'chat.delete',
  checksFirst: true,
  locks: ({ chat }) => [spaceOfChat(chat), '@given-up'],
  async run(context, { chat }) {
    const { db } = context;
    await requireChat(db, chat);
    await db.deleteFrom('chat_member').where('chat', '=', chat).execute();
    await db.deleteFrom('chat').where('id', '=', chat).execute();
    await abandonSpace(context, spaceOfChat(chat));
    context.emit({ type: 'chat.deleted', subject: `chats/${chat}`, data: { id: chat } });
  },
};

export const chatOperations: readonly AnyOperation[] = [
  createChat,
  getChat,
  editChat,
  deleteChat,
  listInbox,
  ...memberOperations,
  ...messageOperations,
];
