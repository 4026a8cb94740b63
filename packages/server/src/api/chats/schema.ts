// Schemas of chats and their members.

import type { TObject, TSchema, TString } from 'typebox';
import { EntryId, entrySchema, NAME_PATTERN, UserName } from '../entries/schema.ts';
import { Type } from '../http/json-schema.ts';

export const ChatId: TString = Type.String({ pattern: NAME_PATTERN, description: 'The id of a chat.' });

export const Title: TString = Type.String({ minLength: 1, maxLength: 256 });

const Time = Type.String({ format: 'date-time' });

/** The members of a chat. */
export const ChatFields: Record<string, TSchema> = {
  id: ChatId,
  title: Type.Optional(Title),
  open: Type.Boolean({ description: 'True if anybody may post, false if only members may.' }),
  member_count: Type.Integer(),
  message_count: Type.Integer(),
  created_at: Time,
  updated_at: Time,
};

export const Chat: TSchema = Type.Object(ChatFields, { title: 'Chat', description: 'A chat.' });

export const Member: TSchema = Type.Object(
  { member: UserName, joined_at: Time },
  { title: 'Member', description: 'A member of a chat.' },
);

const ReadState = {
  read_message_id: Type.Union([EntryId, Type.Null()], {
    description: 'The read position: the last message that the member has read. Null until it is set.',
  }),
  unread: Type.Integer({ description: 'The number of newer messages by others.' }),
};

export const ReadMember: TSchema = Type.Object(
  { member: UserName, joined_at: Time, ...ReadState },
  { title: 'ReadMember', description: 'A member of a chat and their read position.' },
);

export const Message: TSchema = entrySchema('Message', { chat: ChatId }, 'A message.');

export const InboxChat: TSchema = Type.Object(
  {
    ...ChatFields,
    active_at: { ...Time, description: 'The time of the last message, or of the creation of the chat.' },
    ...ReadState,
    last_message: Type.Optional(Message),
  },
  { title: 'InboxChat', description: 'A chat as one of its members sees it.' },
);

export const OneChat: TObject<{ chat: TString }> = Type.Object({ chat: ChatId });
export const OneMember: TObject<{ chat: TString; member: TString }> = Type.Object({
  chat: ChatId,
  member: UserName,
});
export const OneMessage: TObject<{ chat: TString; id: TString }> = Type.Object({ chat: ChatId, id: EntryId });
