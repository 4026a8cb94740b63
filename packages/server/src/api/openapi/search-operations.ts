// The endpoints of the search wire that most applications use, for the document. Their routes are not Fastify's, so each is
// described here; a test sends every example to a server.

import type { TSchema } from 'typebox';
import { Type } from '../http/json-schema.ts';
import {
  Acknowledged,
  BulkReply,
  CountBody,
  CountReply,
  DocumentSource,
  IndexCreated,
  MultiSearchReply,
  NewIndex,
  PartialUpdate,
  ScrollBody,
  ScrollEnd,
  ScrollEnded,
  SearchBody,
  SearchError,
  SearchReply,
  StoredDocument,
  WriteReply,
} from './search-schemas.ts';

interface SearchOperation {
  readonly operationId: string;
  /** Method and path, as `POST /_bulk`. */
  readonly line: string;
  readonly summary: string;
  readonly description?: string;
  readonly verb: 'read' | 'write' | 'admin';
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly body?: TSchema;
  /** False if the body may be missing. @default true */
  readonly needsBody?: boolean;
  /** @default application/json */
  readonly bodyType?: string;
  /** Replies by status. */
  readonly replies: Readonly<Record<number, TSchema>>;
}

const Refresh = Type.String({
  description:
    'Has an effect only if the index sets `refresh_interval: -1`: otherwise a write is searchable when it is acknowledged.',
});
const IfSeqNo = Type.Integer({ description: 'Writes only if the document has this `_seq_no`.' });
const IfPrimaryTerm = Type.Integer({
  description: 'The `_primary_term` of the same version as `if_seq_no`.',
});
const WRITE = { refresh: Refresh, if_seq_no: IfSeqNo, if_primary_term: IfPrimaryTerm };
const Scroll = Type.String({ description: 'Opens a scroll for this time, such as `1m`.' });

const OPERATIONS: readonly SearchOperation[] = [
  {
    operationId: 'search',
    line: 'POST /{index}/_search',
    summary: 'Search documents',
    description:
      '`GET` and `QUERY` with the same body do the same. `{index}` may be names separated by commas, an alias, or a pattern with `*`. For paging use `from`, `page`, `search_after`, tokens or a scroll.',
    verb: 'read',
    query: { scroll: Scroll },
    body: SearchBody,
    needsBody: false,
    replies: { 200: SearchReply },
  },
  {
    operationId: 'searchByText',
    line: 'GET /{index}/_search',
    summary: 'Search documents by a query string',
    description: 'For a search without a body. The reply has an `ETag`.',
    verb: 'read',
    query: {
      q: Type.String({ description: 'The query, in the syntax of Lucene.' }),
      size: Type.Integer({ minimum: 0, description: 'Hits per page.' }),
      from: Type.Integer({ minimum: 0, description: 'Hits to skip.' }),
      sort: Type.String({ description: '`field:asc` or `field:desc`; separate several by commas.' }),
    },
    replies: { 200: SearchReply },
  },
  {
    operationId: 'multiSearch',
    line: 'POST /_msearch',
    summary: 'Run several searches',
    description: 'Two lines for each search: its index as `{"index":"…"}`, then its body.',
    verb: 'read',
    body: Type.String(),
    bodyType: 'application/x-ndjson',
    replies: { 200: MultiSearchReply },
  },
  {
    operationId: 'count',
    line: 'POST /{index}/_count',
    summary: 'Count documents',
    verb: 'read',
    body: CountBody,
    needsBody: false,
    replies: { 200: CountReply },
  },
  {
    operationId: 'scroll',
    line: 'POST /_search/scroll',
    summary: 'Read the next page of a scroll',
    verb: 'read',
    body: ScrollBody,
    replies: { 200: SearchReply },
  },
  {
    operationId: 'closeScroll',
    line: 'DELETE /_search/scroll',
    summary: 'Close scrolls',
    verb: 'read',
    body: ScrollEnd,
    replies: { 200: ScrollEnded },
  },
  {
    operationId: 'bulk',
    line: 'POST /_bulk',
    summary: 'Write many documents',
    description:
      'A line for each action, `{"index":{"_index":"…","_id":"…"}}`, `create`, `update` or `delete`, and a line with the document for all but `delete`. Each action succeeds or fails on its own.',
    verb: 'write',
    query: { refresh: Refresh },
    body: Type.String(),
    bodyType: 'application/x-ndjson',
    replies: { 200: BulkReply },
  },
  {
    operationId: 'addDocument',
    line: 'POST /{index}/_doc',
    summary: 'Write a document with a new id',
    verb: 'write',
    query: { refresh: Refresh },
    body: DocumentSource,
    replies: { 201: WriteReply },
  },
  {
    operationId: 'putDocument',
    line: 'PUT /{index}/_doc/{id}',
    summary: 'Write a document',
    description: 'Creates it, or replaces all of it.',
    verb: 'write',
    query: WRITE,
    body: DocumentSource,
    replies: { 200: WriteReply, 201: WriteReply },
  },
  {
    operationId: 'getDocument',
    line: 'GET /{index}/_doc/{id}',
    summary: 'Read a document',
    verb: 'read',
    query: {
      _source: Type.String({ description: 'Members to return, separated by commas; `false` for none.' }),
    },
    replies: { 200: StoredDocument, 404: StoredDocument },
  },
  {
    operationId: 'updateDocument',
    line: 'POST /{index}/_update/{id}',
    summary: 'Change a document',
    verb: 'write',
    query: WRITE,
    body: PartialUpdate,
    replies: { 200: WriteReply, 201: WriteReply },
  },
  {
    operationId: 'deleteDocument',
    line: 'DELETE /{index}/_doc/{id}',
    summary: 'Delete a document',
    verb: 'write',
    query: WRITE,
    replies: { 200: WriteReply, 404: WriteReply },
  },
  {
    operationId: 'createIndex',
    line: 'PUT /{index}',
    summary: 'Create an index',
    description: 'The first write to an unknown index creates it as well, with dynamic mappings.',
    verb: 'admin',
    body: NewIndex,
    needsBody: false,
    replies: { 200: IndexCreated },
  },
  {
    operationId: 'deleteIndex',
    line: 'DELETE /{index}',
    summary: 'Delete an index with its documents',
    verb: 'admin',
    replies: { 200: Acknowledged },
  },
];

const PATH: Readonly<Record<string, TSchema>> = {
  index: Type.String({ description: 'The name of an index.' }),
  id: Type.String({ description: 'The id of a document.' }),
};

/** The paths of the search wire, as members of `paths`. */
export function searchPaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    const [method = '', path = ''] = operation.line.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = described(operation, path);
  }
  return paths;
}

function described(operation: SearchOperation, path: string): object {
  const { operationId, summary, description, verb, query = {}, body, bodyType, needsBody } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter('path', name!, PATH[name!]!));
  const inQuery = Object.entries(query).map(([name, schema]) => parameter('query', name, schema));
  const replies = Object.entries(operation.replies).map(([status, schema]) => [status, reply(schema)]);
  const scope = `Needs the scope \`search:${verb}\`.`;
  return {
    operationId,
    tags: ['search'],
    summary,
    description: description === undefined ? scope : `${description}\n\n${scope}`,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: needsBody !== false,
            content: { [bodyType ?? 'application/json']: { schema: body } },
          },
        }),
    responses: {
      ...Object.fromEntries(replies),
      '4XX': reply(SearchError, 'The request is refused.'),
      '5XX': reply(SearchError, 'The server cannot answer.'),
    },
  };
}

function parameter(place: 'path' | 'query', name: string, described: TSchema): object {
  const { description, ...schema } = described as { readonly description?: string };
  return { name, in: place, required: place === 'path', description, schema };
}

function reply(schema: TSchema, description?: string): object {
  const own = (schema as { readonly description?: string }).description;
  return { description: description ?? own, content: { 'application/json': { schema } } };
}
