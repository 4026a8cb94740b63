// `/api/chats/{chat}/members`: the members of a chat and how far they have read.

import { getReadPosition, joinChat, leaveChat, markRead, membersOfChat } from '@octavo/records';
import { EntryId } from '../entries/schema.ts';
import { writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import { pageSchema } from '../http/page-envelope.ts';
import { tokenPage, tokenParameters, tokenText } from '../http/token-page.ts';
import type { Resource } from '../resource.ts';
import { Member, OneChat, OneMember, ReadMember } from './schema.ts';

export const members: Resource = async (app, services) => {
  const { records, limits } = services;
  app.get(
    '/chats/:chat/members',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'listMembers',
        tags: ['chat'],
        summary: 'List the members of a chat',
        description: 'Ordered by name.',
        params: OneChat,
        querystring: Type.Object(tokenParameters(limits)),
        response: { 200: pageSchema(Member) },
      },
    },
    async (request, reply) => {
      const { chat } = request.params;
      return await tokenPage(
        services,
        { principal: request.principal, listing: `chats/${chat}/members` },
        {
          read: (page) => records.read(membersOfChat, { chat, ...page }),
          tupleOf: ({ member }) => [member],
          keyOf: tokenText,
        },
        (member) => member,
        { request, reply },
      );
    },
  );

  app.get(
    '/chats/:chat/members/:member',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'getMember',
        tags: ['chat'],
        summary: 'Read a member and their read position',
        params: OneMember,
        response: { 200: ReadMember },
      },
    },
    async (request) => await records.read(getReadPosition, request.params),
  );

  app.put(
    '/chats/:chat/members/:member',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'joinChat',
        tags: ['chat'],
        summary: 'Add a member',
        description: 'Earlier messages count as read. An existing member is not changed.',
        params: OneMember,
        response: { 200: ReadMember, 201: ReadMember },
      },
    },
    async (request, reply) => {
      const { joined, member } = await records.write(joinChat, request.params, writeOptions(request, reply));
      reply.code(joined ? 201 : 200);
      return member;
    },
  );

  app.delete(
    '/chats/:chat/members/:member',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'leaveChat',
        tags: ['chat'],
        summary: 'Remove a member',
        params: OneMember,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      await records.write(leaveChat, request.params, writeOptions(request, reply));
      return await reply.code(204).send(null);
    },
  );

  app.put(
    '/chats/:chat/members/:member/read',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'markRead',
        tags: ['chat'],
        summary: 'Set the read position of a member',
        description:
          'Moves it forwards or backwards. The message may be deleted. Posting a message moves the read position of its author to that message.',
        params: OneMember,
        body: Type.Object(
          { message_id: EntryId },
          {
            title: 'ReadMark',
            additionalProperties: false,
            description: 'The last message that the member has read.',
          },
        ),
        response: { 200: ReadMember },
      },
    },
    async (request, reply) =>
      await records.write(
        markRead,
        { ...request.params, messageId: request.body.message_id },
        writeOptions(request, reply),
      ),
  );
};
