// `/api/newsfeed`: items of feeds; lists by cursor, token or page number.

import {
  type ContentInput,
  type DraftInput,
  deleteItem,
  type Entry,
  editItem,
  getItem,
  pageOfFeed,
  postItem,
} from '@octavo/records';
import type { FastifyRequest } from 'fastify';
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
import { draftSchema, EntryId, editSchema, Format, Resolve } from '../entries/schema.ts';
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
import { Feed, Item } from './schema.ts';

/** The feed of a request; the default feed has no name. */
interface FeedQuery extends ListQuery {
  readonly feed?: string;
}

const OneItem = Type.Object({ id: EntryId });
const OneQuery = Type.Object({ feed: Feed, format: Format });
const ReadQuery = Type.Object({ feed: Feed, format: Format, resolve: Resolve });

export const newsfeed: Resource = async (app, services) => {
  const { records, limits } = services;
  const subjectOf = (request: FastifyRequest): PreconditionSubject<Entry> => ({
    read: () => records.read(getItem, addressOf(request)),
    views: async (entry) => {
      const shown = (await currentUserNames(records, [entry], {}))(entry);
      return [shown, entry].flatMap((each) =>
        bothFormats(request.query as FeedQuery).map((query) => itemReply(each, query)),
      );
    },
  });

  app.get(
    '/newsfeed',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'listFeed',
        tags: ['feed'],
        summary: 'List a feed',
        description:
          'Newest first. Continue with `max_id` = `next_max_id` or with the tokens, or open any page by number. A feed without items is empty.',
        querystring: Type.Object({ feed: Feed, ...listParameters(limits) }),
        response: { 200: listReplySchema(Item) },
      },
    },
    async (request, reply) => {
      const query = request.query as FeedQuery;
      const feed = query.feed ?? '';
      checkPositionParameters(query);
      const filters = { ...listFilters(query), feed };
      const listing = { principal: request.principal, listing: 'newsfeed', filters };
      const tokens = await openTokens(services, listing, query);
      const page = await records.read(pageOfFeed, { feed, ...entryListRequest(query, tokens) });
      const shown = await currentUserNames(records, page.entries, query);
      const format = (entry: Entry): ItemReply => itemReply(shown(entry), query);
      return await listReply(services, listing, query, page, format, { request, reply });
    },
  );

  app.post(
    '/newsfeed',
    {
      config: { scope: ['feed', 'write'] },
      schema: {
        operationId: 'postItem',
        tags: ['feed'],
        summary: 'Post an item',
        description: 'The first item creates the feed.',
        headers: IdempotencyHeader,
        querystring: OneQuery,
        body: draftSchema(limits),
        response: { 201: Item },
      },
    },
    async (request, reply) => {
      const query = request.query as FeedQuery;
      const draft = request.body as unknown as DraftInput;
      checkContentSize(draft, limits);
      const entry = await records.write(
        postItem,
        { feed: query.feed ?? '', draft },
        writeOptions(request, reply),
      );
      const where = query.feed === undefined ? '' : `?feed=${query.feed}`;
      reply.code(201).header('location', `/api/newsfeed/${entry.id}${where}`);
      return setEtag(request, reply, itemReply(entry, query));
    },
  );

  app.get(
    '/newsfeed/:id',
    {
      config: { scope: ['feed', 'read'], etag: true },
      schema: {
        operationId: 'getItem',
        tags: ['feed'],
        summary: 'Read an item',
        params: OneItem,
        querystring: ReadQuery,
        response: { 200: Item },
      },
    },
    async (request) => {
      const query = request.query as FeedQuery;
      const entry = await records.read(getItem, addressOf(request));
      return itemReply((await currentUserNames(records, [entry], query))(entry), query);
    },
  );

  app.patch(
    '/newsfeed/:id',
    {
      config: { scope: ['feed', 'write'] },
      schema: {
        operationId: 'editItem',
        tags: ['feed'],
        summary: 'Change an item',
        description: 'Its position in the feed and its author stay the same.',
        params: OneItem,
        headers: ConditionalHeaders,
        querystring: OneQuery,
        body: editSchema(limits),
        response: { 200: Item },
      },
    },
    async (request, reply) => {
      const content = request.body as unknown as ContentInput;
      checkContentSize(content, limits);
      const address = addressOf(request);
      const entry = await withPrecondition(request, subjectOf(request), (onlyIf) =>
        records.write(editItem, { ...address, content, onlyIf }, writeOptions(request, reply)),
      );
      return setEtag(request, reply, itemReply(entry, request.query as FeedQuery));
    },
  );

  app.delete(
    '/newsfeed/:id',
    {
      config: { scope: ['feed', 'write'] },
      schema: {
        operationId: 'deleteItem',
        tags: ['feed'],
        summary: 'Delete an item',
        params: OneItem,
        headers: ConditionalHeaders,
        querystring: Type.Object({ feed: Feed }),
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      await withPrecondition(request, subjectOf(request), (onlyIf) =>
        records.write(deleteItem, { ...addressOf(request), onlyIf }, writeOptions(request, reply)),
      );
      return await reply.code(204).send(null);
    },
  );
};

type ItemReply = FormattedEntry & { readonly feed?: string };

function itemReply(entry: Entry, { feed, format }: FeedQuery): ItemReply {
  return { ...formatEntry(entry, format), ...(feed === undefined ? {} : { feed }) };
}

function addressOf(request: FastifyRequest): { readonly feed: string; readonly id: string } {
  const { id } = request.params as { readonly id: string };
  return { feed: (request.query as FeedQuery).feed ?? '', id };
}
