// `/api/chats/{chat}/messages`: lists of messages, paged like feeds, and single messages.

import {
  type ContentInput,
  type DraftInput,
  deleteMessage,
  type Entry,
  editMessage,
  getMessage,
  type MessageAddress,
  pageOfChat,
  postMessage,
} from '@octavo/records';
import { checkContentSize } from '../entries/content-size.ts';
import {
  checkPositionParameters,
  entryListRequest,
  type ListQuery,
  listFilters,
  listParameters,
} from '../entries/list-query.ts';
import {
  bothFormats,
  type FormattedEntry,
  formatEntry,
  listReply,
  listReplySchema,
} from '../entries/list-reply.ts';
import { openTokens } from '../entries/position-tokens.ts';
import { draftSchema, editSchema, Format, Resolve } from '../entries/schema.ts';
import { currentUserNames } from '../entries/user-names.ts';
import { IdempotencyHeader, writeOptions } from '../http/idempotency.ts';
import { Type } from '../http/json-schema.ts';
import {
  ConditionalHeaders,
  type PreconditionSubject,
  setEtag,
  withPrecondition,
} from '../http/precondition.ts';
import type { Resource } from '../resource.ts';
import { Message, OneChat, OneMessage } from './schema.ts';

const OneQuery = Type.Object({ format: Format });
const ReadQuery = Type.Object({ format: Format, resolve: Resolve });

export const messages: Resource = async (app, services) => {
  const { records, limits } = services;
  const subjectOf = (
    address: MessageAddress,
    query: Pick<ListQuery, 'format'>,
  ): PreconditionSubject<Entry> => ({
    read: () => records.read(getMessage, address),
    views: async (entry) => {
      const shown = (await currentUserNames(records, [entry], {}))(entry);
      return [shown, entry].flatMap((each) =>
        bothFormats(query).map(({ format }) => messageReply(each, address.chat, format)),
      );
    },
  });

  app.get(
    '/chats/:chat/messages',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'listMessages',
        tags: ['chat'],
        summary: 'List the messages of a chat',
        description:
          'Newest first, or oldest first with `order=asc`; around a message with `around`. Cursors, tokens and page numbers work as for feeds.',
        params: OneChat,
        querystring: Type.Object(listParameters(limits)),
        response: { 200: listReplySchema(Message) },
      },
    },
    async (request, reply) => {
      const query = request.query as ListQuery;
      const { chat } = request.params;
      checkPositionParameters(query);
      const filters = { ...listFilters(query) };
      const listing = { principal: request.principal, listing: `chats/${chat}/messages`, filters };
      const tokens = await openTokens(services, listing, query);
      const page = await records.read(pageOfChat, { chat, ...entryListRequest(query, tokens) });
      const shown = await currentUserNames(records, page.entries, query);
      const format = (entry: Entry): MessageReply => messageReply(shown(entry), chat, query.format);
      return await listReply(services, listing, query, page, format, { request, reply });
    },
  );

  app.post(
    '/chats/:chat/messages',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'postMessage',
        tags: ['chat'],
        summary: 'Post a message',
        params: OneChat,
        headers: IdempotencyHeader,
        querystring: OneQuery,
        body: draftSchema(limits),
        response: { 201: Message },
      },
    },
    async (request, reply) => {
      const { chat } = request.params;
      const draft = request.body as unknown as DraftInput;
      checkContentSize(draft, limits);
      const entry = await records.write(postMessage, { chat, draft }, writeOptions(request, reply));
      reply.code(201).header('location', `/api/chats/${chat}/messages/${entry.id}`);
      return setEtag(request, reply, messageReply(entry, chat, request.query.format));
    },
  );

  app.get(
    '/chats/:chat/messages/:id',
    {
      config: { scope: ['chat', 'read'], etag: true },
      schema: {
        operationId: 'getMessage',
        tags: ['chat'],
        summary: 'Read a message',
        params: OneMessage,
        querystring: ReadQuery,
        response: { 200: Message },
      },
    },
    async (request) => {
      const entry = await records.read(getMessage, request.params);
      const shown = await currentUserNames(records, [entry], request.query);
      return messageReply(shown(entry), request.params.chat, request.query.format);
    },
  );

  app.patch(
    '/chats/:chat/messages/:id',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'editMessage',
        tags: ['chat'],
        summary: 'Change a message',
        description: 'Its position in the chat and its author stay the same.',
        params: OneMessage,
        headers: ConditionalHeaders,
        querystring: OneQuery,
        body: editSchema(limits),
        response: { 200: Message },
      },
    },
    async (request, reply) => {
      const content = request.body as unknown as ContentInput;
      checkContentSize(content, limits);
      const entry = await withPrecondition(request, subjectOf(request.params, request.query), (onlyIf) =>
        records.write(editMessage, { ...request.params, content, onlyIf }, writeOptions(request, reply)),
      );
      return setEtag(request, reply, messageReply(entry, request.params.chat, request.query.format));
    },
  );

  app.delete(
    '/chats/:chat/messages/:id',
    {
      config: { scope: ['chat', 'write'] },
      schema: {
        operationId: 'deleteMessage',
        tags: ['chat'],
        summary: 'Delete a message',
        params: OneMessage,
        headers: ConditionalHeaders,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      await withPrecondition(request, subjectOf(request.params, {}), (onlyIf) =>
        records.write(deleteMessage, { ...request.params, onlyIf }, writeOptions(request, reply)),
      );
      return await reply.code(204).send(null);
    },
  );
};

type MessageReply = FormattedEntry & { readonly chat: string };

function messageReply(entry: Entry, chat: string, format: ListQuery['format']): MessageReply {
  return { ...formatEntry(entry, format), chat };
}
