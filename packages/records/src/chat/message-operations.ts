// The operations on messages of a chat. They are those of feed items, restricted to the authors who may
// write.

import { RecordsError } from '../contracts/errors.ts';
import type { NewEvent } from '../contracts/events.ts';
import type { AnyOperation, ReadContext, ReadOperation, WriteOperation } from '../contracts/operation.ts';
import { type OnlyIf, requireUnchanged } from '../contracts/precondition.ts';
import { appendEntries } from '../entries/append-entries.ts';
import { type ContentInput, type DraftInput, draftOf, editedContent } from '../entries/content.ts';
import { deleteEntry, editEntry, entryById } from '../entries/edit-entry.ts';
import { type Entry, entryView } from '../entries/entry.ts';
import { type EntryPage, type ListRequest, listEntries } from '../entries/list/list-entries.ts';
import { requireChat, spaceOfChat } from './chat.ts';

/** One message. */
export interface MessageAddress {
  readonly chat: string;
  readonly id: string;
}

/**
 * Posts a message; its author has read the chat up to it. Throws chat-not-found, not-a-member, invalid-body,
 * invalid-mentions.
 */
export const postMessage: WriteOperation<{ readonly chat: string; readonly draft: DraftInput }, Entry> = {
  kind: 'write',
  name: 'message.post',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, { chat, draft }) {
    const { db } = context;
    const { open } = await requireChat(db, chat);
    const author = await db
      .selectFrom('chat_member')
      .select('read_position')
      .where('chat', '=', chat)
      .where('member', '=', draft.author)
      .executeTakeFirst();
    if (author === undefined && !open) {
      throw new RecordsError(
        'not-a-member',
        `${draft.author} is not a member of the chat ${chat}, and only members may write there.`,
        { field: 'author' },
      );
    }
    const [entry] = await appendEntries(context, spaceOfChat(chat), [draftOf(draft)]);
    if (author !== undefined) {
      await db
        .updateTable('chat_member')
        .set({ read_position: entry!.position, read_id: entry!.id })
        .where('chat', '=', chat)
        .where('member', '=', draft.author)
        .execute();
    }
    context.emit(event('message.created', chat, entry!));
    return entry!;
  },
};

/** One message. Throws chat-not-found and message-not-found. */
export const getMessage: ReadOperation<MessageAddress, Entry> = {
  kind: 'read',
  name: 'message.get',
  run: messageAt,
};

/**
 * Changes the content of a message; without a difference nothing happens. Throws as `getMessage`, and precondition-failed,
 * invalid-body, invalid-mentions.
 */
export const editMessage: WriteOperation<
  MessageAddress & { readonly content: ContentInput; readonly onlyIf?: OnlyIf<Entry> | undefined },
  Entry
> = {
  kind: 'write',
  name: 'message.edit',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, { content, onlyIf, ...address }) {
    const entry = await messageAt(context, address);
    requireUnchanged(entry, onlyIf);
    const space = spaceOfChat(address.chat);
    const edited = await editEntry(context, space, entry, editedContent(entry, content));
    if (edited !== entry) context.emit(event('message.updated', address.chat, edited));
    return edited;
  },
};

/** Deletes a message. Throws as `getMessage`, and precondition-failed. */
export const deleteMessage: WriteOperation<
  MessageAddress & { readonly onlyIf?: OnlyIf<Entry> | undefined },
  void
> = {
  kind: 'write',
  name: 'message.delete',
  locks: ({ chat }) => [spaceOfChat(chat)],
  checksFirst: true,
  async run(context, { onlyIf, ...address }) {
    const { chat } = address;
    const entry = await messageAt(context, address);
    requireUnchanged(entry, onlyIf);
    await deleteEntry(context, spaceOfChat(chat), entry);
    const data = { id: entry.id, chat };
    context.emit({ type: 'message.deleted', subject: subjectOf(chat, entry.id), data });
  },
};

/** A page of a chat's messages. Throws chat-not-found and snapshot-expired. */
export const pageOfChat: ReadOperation<{ readonly chat: string } & ListRequest, EntryPage> = {
  kind: 'read',
  name: 'message.page',
  async run({ db, now }, { chat, ...request }) {
    await requireChat(db, chat);
    return await listEntries(db, spaceOfChat(chat), request, now);
  },
};

export const messageOperations: readonly AnyOperation[] = [
  postMessage,
  getMessage,
  editMessage,
  deleteMessage,
  pageOfChat,
];

async function messageAt({ db }: Pick<ReadContext, 'db'>, { chat, id }: MessageAddress): Promise<Entry> {
  await requireChat(db, chat);
  const entry = await entryById(db, spaceOfChat(chat), id);
  if (entry !== undefined) return entry;
  throw new RecordsError('message-not-found', `There is no message ${id} in the chat ${chat}.`, {
    field: 'id',
  });
}

function event(type: 'message.created' | 'message.updated', chat: string, entry: Entry): NewEvent {
  return { type, subject: subjectOf(chat, entry.id), data: { ...entryView(entry), chat } };
}

function subjectOf(chat: string, id: string): string {
  return `chats/${chat}/messages/${id}`;
}
