// The schema of events: a union with one named schema per type. The member `type` selects the schema.

import type { TSchema } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { ChatFields, ChatId, Message } from '../chats/schema.ts';
import { EntryId, UserName } from '../entries/schema.ts';
import { Type } from '../http/json-schema.ts';
import { Feed, Item } from '../newsfeed/schema.ts';
import { Hold, Transaction } from '../transactions/schema.ts';
import { User, UserId } from '../users/schema.ts';

const ItemRef = Type.Object(
  { id: EntryId, feed: Feed },
  { title: 'ItemRef', description: 'The address of a deleted item.' },
);
const MessageRef = Type.Object(
  { id: EntryId, chat: ChatId },
  { title: 'MessageRef', description: 'The address of a deleted message.' },
);
const ChatRef = Type.Object({ id: ChatId }, { title: 'ChatRef', description: 'The id of a deleted chat.' });
const UserRef = Type.Object({ id: UserId }, { title: 'UserRef', description: 'The id of a removed user.' });

const CreatedChat = Type.Object(
  { ...ChatFields, members: Type.Array(UserName) },
  { title: 'CreatedChat', description: 'A new chat with its members. An open chat has none at first.' },
);
const UpdatedChat = Type.Object(
  {
    ...ChatFields,
    joined: Type.Optional(Type.Array(UserName, { description: 'The new members.' })),
    left: Type.Optional(Type.Array(UserName, { description: 'The former members.' })),
  },
  { title: 'UpdatedChat', description: 'A chat whose title or members have changed.' },
);

const KeySummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    expires_at: Type.Optional(Type.String({ format: 'date-time' })),
    revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'KeySummary', description: 'A key without its restrictions. `GET /api/keys/{id}` has them.' },
);

const DocumentVersion = Type.Object(
  {
    index: Type.String(),
    id: Type.String(),
    seq_no: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  },
  {
    title: 'DocumentVersion',
    description:
      'A document without its source. `seq_no` and `version` are absent if the server was killed during the write and found the document deleted later.',
  },
);
const ChangedDocuments = Type.Object(
  { index: Type.String(), by: Type.Enum(['delete_by_query', 'update_by_query', 'reindex', 'write']) },
  {
    title: 'ChangedDocuments',
    description: 'An index of a cluster, and the operation that changed documents of it.',
  },
);

/** The data of each type of event. */
const DATA: Readonly<Record<string, TSchema>> = {
  'octavo.item.created': Item,
  'octavo.item.updated': Item,
  'octavo.item.deleted': ItemRef,
  'octavo.message.created': Message,
  'octavo.message.updated': Message,
  'octavo.message.deleted': MessageRef,
  'octavo.chat.created': CreatedChat,
  'octavo.chat.updated': UpdatedChat,
  'octavo.chat.deleted': ChatRef,
  'octavo.account.created': Account,
  'octavo.account.updated': Account,
  'octavo.transfer.created': Transaction,
  'octavo.hold.created': Hold,
  'octavo.hold.posted': Hold,
  'octavo.hold.voided': Hold,
  'octavo.hold.expired': Hold,
  'octavo.key.created': KeySummary,
  'octavo.key.updated': KeySummary,
  'octavo.key.revoked': KeySummary,
  'octavo.user.created': User,
  'octavo.user.updated': User,
  'octavo.user.deleted': UserRef,
  'octavo.document.indexed': DocumentVersion,
  'octavo.document.deleted': DocumentVersion,
  'octavo.document.changed': ChangedDocuments,
};

const TIME = Type.String({ format: 'date-time', description: 'The time of the commit.' });
const DOCUMENT_TIME = Type.Optional({
  ...TIME,
  description: 'The time of the commit. Absent for documents of this server.',
});

/** `octavo.item.created` → `ItemCreatedEvent`. */
function nameOf(type: string): string {
  const words = type.split('.').slice(1);
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Event`;
}

function eventSchema(type: string, data: TSchema): TSchema {
  const ofDocuments = type.startsWith('octavo.document.');
  return Type.Object(
    {
      specversion: Type.Literal('1.0'),
      id: Type.String({ description: 'The id of the event, the same for every delivery.' }),
      source: Type.Literal(ofDocuments ? '/' : '/api'),
      type: Type.Literal(type),
      subject: Type.String({ description: subjectOf(type) }),
      time: ofDocuments ? DOCUMENT_TIME : TIME,
      datacontenttype: Type.Literal('application/json'),
      data,
    },
    { title: nameOf(type), description: `An event of the type \`${type}\`.` },
  );
}

function subjectOf(type: string): string {
  if (type === 'octavo.document.changed') return 'The name of the index.';
  if (type.startsWith('octavo.document.')) return 'The index and the id of the document: `{index}/{id}`.';
  return 'The path of the changed resource below `/api/`.';
}

/** An event, as streams, pages and webhooks have it. */
export const Event: TSchema = Type.Unsafe({
  title: 'Event',
  description:
    'A CloudEvent 1.0. Its `type` selects the schema of its `data`. Version 1 of the API may gain types: a client that accepts no others asks for those it knows with `types`.',
  oneOf: Object.entries(DATA).map(([type, data]) => eventSchema(type, data)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.keys(DATA).map((type) => [type, `#/components/schemas/${nameOf(type)}`]),
    ),
  },
});
