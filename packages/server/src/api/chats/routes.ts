// `/api/chats`: chats, and the chats of one member. Members and messages have their own files.

import { chatsOfMember, createChat, deleteChat, editChat, getChat, type NewChat } from '@octavo/records';
import { UserName } from '../entries/schema.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { setLinks } from '../http/links.ts';
import { DEFAULT_PAGE_SIZE } from '../http/page-parameters.ts';
import type { Resource } from '../resource.ts';
import { members } from './members.ts';
import { messages } from './messages.ts';
import { Chat, ChatId, OneChat, Title } from './schema.ts';
import { startSweeper } from './sweeper.ts';

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
          { additionalProperties: false },
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
        summary: 'List the chats of a member',
        querystring: Type.Object({
          member: UserName,
          after: Type.Optional({ ...ChatId, description: '`next_after` of an earlier reply.' }),
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: limits.feedPageSize, default: DEFAULT_PAGE_SIZE }),
          ),
        }),
        response: {
          200: Type.Object(
            { chats: Type.Array(Chat), next_after: Type.Optional(ChatId) },
            { description: 'Chats by id. `next_after` is absent on the last page.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { member, after, limit = DEFAULT_PAGE_SIZE } = request.query;
      const found = await records.read(chatsOfMember, { member, after, limit });
      const last = found.more ? found.chats.at(-1)?.id : undefined;
      if (last !== undefined) setLinks(request, reply, { next: { after: last } });
      return { chats: [...found.chats], ...(last === undefined ? {} : { next_after: last }) };
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
          { additionalProperties: false },
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
          'Deletes its members and messages as well, immediately and permanently. Chats have no owner: any caller with the scope may delete them, add members and end memberships.',
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
