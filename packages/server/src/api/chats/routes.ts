// `/api/chats`: chats, and the chats of one member. Members and messages have their own files.

import type { Tuple } from '@octavo/paging';
import {
  createChat,
  deleteChat,
  editChat,
  getChat,
  type InboxKey,
  type InboxChat as InboxRow,
  listInbox,
  type NewChat,
} from '@octavo/records';
import { formatEntry } from '../entries/list-reply.ts';
import { Format, Resolve, UserName } from '../entries/schema.ts';
import { currentUserNames, type ShowEntry } from '../entries/user-names.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import { members } from './members.ts';
import { messages } from './messages.ts';
import { Chat, ChatId, InboxChat, OneChat, Title } from './schema.ts';
import { startSweeper } from './sweeper.ts';

interface InboxQuery {
  readonly member: string;
  readonly format?: 'entities' | 'markup';
  readonly resolve?: boolean;
}

export const chats: Resource = async (app, services) => {
  const { records, limits } = services;

  app.post(
    '/chats',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'createChat',
        tags: ['chat'],
        summary: 'Create a chat',
        description: 'With `members`, only members may post; otherwise anybody may.',
        headers: IdempotencyHeader,
        body: Type.Object(
          {
            id: Type.Optional({ ...ChatId, description: 'Generated if absent.' }),
            title: Type.Optional(Title),
            members: Type.Optional(Type.Array(UserName, { maxItems: limits.chatMembersAtOnce })),
          },
          { title: 'ChatInput', additionalProperties: false, description: 'A new chat.' },
        ),
        response: { 201: Chat },
      },
    },
    async (request, reply) => {
      const chat = await records.write(createChat, request.body as NewChat, writeOptions(request, reply));
      reply.code(201).header('location', `/api/chats/${chat.id}`);
      return chat;
    },
  );

  app.get(
    '/chats',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'listChats',
        tags: ['chat'],
        summary: 'List the inbox of a member',
        description:
          'The chats of the member, each with its last message and the number of unread messages. The chat with the latest message is first; a chat without messages is ordered by its creation time.',
        querystring: Type.Object({
          member: UserName,
          format: Format,
          resolve: Resolve,
          ...tokenParameters(limits),
        }),
        response: { 200: pageSchema(InboxChat) },
      },
    },
    async (request, reply) => {
      const query = request.query as InboxQuery;
      const { member } = query;
      let shown: ShowEntry = (entry) => entry;
      return await tokenPage(
        services,
        { principal: request.principal, listing: 'chats', filters: { member } },
        {
          async read(page) {
            const found = await records.read(listInbox, { member, ...page });
            const messages = found.rows.flatMap(({ lastMessage }) => lastMessage ?? []);
            shown = await currentUserNames(records, messages, query);
            return found;
          },
          tupleOf: ({ key }) => [...key],
          keyOf: inboxKey,
        },
        (row) => inboxView(row, shown, query.format),
        { request, reply },
      );
    },
  );

  app.get(
    '/chats/:chat',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'getChat',
        tags: ['chat'],
        summary: 'Read a chat',
        params: OneChat,
        response: { 200: Chat },
      },
    },
    async (request) => await records.read(getChat, request.params),
  );

  app.patch(
    '/chats/:chat',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'editChat',
        tags: ['chat'],
        summary: 'Change the title of a chat',
        params: OneChat,
        body: Type.Object(
          {
            title: Type.Optional(Type.Union([Title, Type.Null()], { description: 'Null removes it.' })),
          },
          { title: 'ChatChange', additionalProperties: false, description: 'The new title.' },
        ),
        response: { 200: Chat },
      },
    },
    async (request, reply) =>
      await records.write(
        editChat,
        { chat: request.params.chat, title: request.body.title },
        writeOptions(request, reply),
      ),
  );

  const sweeper = startSweeper(records);
  app.addHook('onClose', async () => sweeper.stop());

  app.delete(
    '/chats/:chat',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'deleteChat',
        tags: ['chat'],
        summary: 'Delete a chat',
        description:
          'Deletes its members and messages as well, immediately and permanently. Chats have no owner: any caller with the scope may delete them, and add and remove members.',
        params: OneChat,
        headers: IdempotencyHeader,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      await records.write(deleteChat, request.params, writeOptions(request, reply));
      sweeper.sweep();
      return await reply.code(204).send(null);
    },
  );

  await members(app, services);
  await messages(app, services);
};

function inboxKey([time, chat]: Tuple): InboxKey | undefined {
  if (typeof chat !== 'string' || (typeof time !== 'number' && typeof time !== 'bigint')) return undefined;
  return [BigInt(time), chat];
}

function inboxView(
  { key: [time], chat, unread, readMessageId, lastMessage }: InboxRow,
  shown: ShowEntry,
  format: InboxQuery['format'],
): Record<string, unknown> {
  return {
    ...chat,
    active_at: new Date(Number(time)).toISOString(),
    unread,
    read_message_id: readMessageId,
    ...(lastMessage === undefined
      ? {}
      : { last_message: { chat: chat.id, ...formatEntry(shown(lastMessage), format) } }),
  };
}
