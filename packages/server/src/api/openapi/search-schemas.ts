// Schemas of the search wire: the members that most applications use. Bodies and replies may have others, which the wire
// checks and prints itself (docs/reference/wire.md).

import type { TSchema } from 'typebox';
import { Type } from '../http/json-schema.ts';

const OPEN = { additionalProperties: true } as const;
const AnyObject = (description: string): TSchema => Type.Object({}, { ...OPEN, description });
const Any = (description: string): TSchema => Type.Unknown({ description });
const NullableNumber = (description: string): TSchema =>
  Type.Union([Type.Unsafe<number>({ type: 'number' }), Type.Null()], { description });

const NextToken = Type.String({ description: 'Token of the next page. Absent at the end.' });
const PrevToken = Type.String({ description: 'Token of the previous page. Absent at the start.' });

export const SearchBody: TSchema = Type.Object(
  {
    query: Type.Optional(AnyObject('Which documents match. Default: all.')),
    size: Type.Optional(Type.Integer({ minimum: 0, default: 10, description: 'Hits per page.' })),
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'Hits to skip.' })),
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'A page by number, instead of `from`.' })),
    sort: Type.Optional(Type.Array(Any('A field, or an object with its options.'))),
    search_after: Type.Optional(
      Type.Array(Any('A sort value.'), { description: 'The `sort` values of the last hit before the page.' }),
    ),
    _source: Type.Optional(Any('Which members of documents to return: a boolean, names or patterns.')),
    aggs: Type.Optional(AnyObject('Aggregations by name.')),
    highlight: Type.Optional(AnyObject('Which fields to highlight, and how.')),
    track_total_hits: Type.Optional(Any('True for an exact total, false for none, or how far to count.')),
    tokens: Type.Optional(Type.Boolean({ description: 'True returns `next_token` and `prev_token`.' })),
    next_token: Type.Optional(Type.String({ description: '`next_token` of an earlier reply.' })),
    prev_token: Type.Optional(Type.String({ description: '`prev_token` of an earlier reply.' })),
  },
  {
    title: 'SearchBody',
    ...OPEN,
    description:
      'A search. Here are the most used members. docs/reference/wire.md lists the others, and what differs from OpenSearch.',
  },
);

const Shards = Type.Object(
  {
    total: Type.Integer(),
    successful: Type.Integer(),
    failed: Type.Integer(),
    failures: Type.Optional(
      Type.Array(AnyObject('The index and the error.'), {
        description: 'Of a search: the indices that could not answer. The reply is that of the others.',
      }),
    ),
  },
  { title: 'ShardCounts', ...OPEN, description: 'How many shards have answered.' },
);

const Source = AnyObject('The document as it was written.');

const Hit = Type.Object(
  {
    _index: Type.String({ description: 'The index of the document.' }),
    _id: Type.String({ description: 'The id of the document.' }),
    _score: NullableNumber('The relevance. Null in a list sorted by fields.'),
    _source: Type.Optional(Source),
    sort: Type.Optional(Type.Array(Any('A sort value.'), { description: 'Send it as `search_after`.' })),
    highlight: Type.Optional(AnyObject('Highlighted fragments by field.')),
  },
  { title: 'Hit', ...OPEN, description: 'A document that matches.' },
);

const TotalHits = Type.Object(
  {
    value: Type.Integer({ description: 'How many documents match.' }),
    relation: Type.Enum(['eq', 'gte'], { description: '`gte`: at least this many.' }),
  },
  { title: 'TotalHits', description: 'The total of a search.' },
);

const Hits = Type.Object(
  {
    total: Type.Optional(TotalHits),
    max_score: NullableNumber('The best score.'),
    hits: Type.Array(Hit),
  },
  { title: 'SearchHits', ...OPEN, description: 'A page of hits, and their total.' },
);

const REPLY = {
  took: Type.Integer({ description: 'Milliseconds.' }),
  timed_out: Type.Boolean({ description: 'True if the time limit ended the search early.' }),
  _shards: Shards,
  hits: Hits,
  aggregations: Type.Optional(AnyObject('Results of aggregations by name.')),
  next_token: Type.Optional(NextToken),
  prev_token: Type.Optional(PrevToken),
  _scroll_id: Type.Optional(Type.String({ description: 'With `scroll`: the id for the next page.' })),
};

export const SearchReply: TSchema = Type.Object(REPLY, {
  title: 'SearchReply',
  ...OPEN,
  description: 'A page of hits.',
});

export const MultiSearchReply: TSchema = Type.Object(
  {
    took: Type.Integer({ description: 'Milliseconds.' }),
    responses: Type.Array(AnyObject('A search reply, or an error with its status.'), {
      description: 'In the order of the searches.',
    }),
  },
  { title: 'MultiSearchReply', ...OPEN, description: 'The replies of several searches.' },
);

export const ScrollBody: TSchema = Type.Object(
  {
    scroll_id: Type.String({ description: 'The `_scroll_id` of the last reply.' }),
    scroll: Type.Optional(Type.String({ description: 'How long to keep the scroll, such as `1m`.' })),
  },
  { title: 'ScrollBody', ...OPEN, description: 'The next page of a scroll.' },
);

export const ScrollEnd: TSchema = Type.Object(
  { scroll_id: Type.Array(Type.String(), { description: 'The scrolls to close.' }) },
  { title: 'ScrollEnd', description: 'Scrolls that are no longer needed.' },
);

export const ScrollEnded: TSchema = Type.Object(
  { succeeded: Type.Boolean(), num_freed: Type.Integer({ description: 'How many were closed.' }) },
  { title: 'ScrollEnded', ...OPEN, description: 'What was closed.' },
);

export const CountBody: TSchema = Type.Object(
  { query: Type.Optional(AnyObject('Which documents to count. Default: all.')) },
  { title: 'CountBody', description: 'What to count.' },
);

export const CountReply: TSchema = Type.Object(
  { count: Type.Integer({ description: 'The exact number of matching documents.' }), _shards: Shards },
  { title: 'CountReply', ...OPEN, description: 'A number of documents.' },
);

export const DocumentSource: TSchema = Type.Object(
  {},
  { title: 'DocumentSource', ...OPEN, description: 'A document: any JSON object.' },
);

const ADDRESS = {
  _index: Type.String({ description: 'The index of the document.' }),
  _id: Type.String({ description: 'The id of the document.' }),
};

const VERSION = {
  _version: Type.Integer({ description: 'Grows with every write of the document.' }),
  _seq_no: Type.Integer({ description: 'Send it as `if_seq_no` to write only if nothing has changed.' }),
  _primary_term: Type.Integer({ description: 'Send it as `if_primary_term` together with `if_seq_no`.' }),
};

export const StoredDocument: TSchema = Type.Object(
  {
    ...ADDRESS,
    _version: Type.Optional(VERSION._version),
    _seq_no: Type.Optional(VERSION._seq_no),
    _primary_term: Type.Optional(VERSION._primary_term),
    found: Type.Boolean({ description: 'False, with the status 404, if there is no such document.' }),
    _source: Type.Optional(Source),
  },
  { title: 'StoredDocument', ...OPEN, description: 'A document.' },
);

export const WriteReply: TSchema = Type.Object(
  {
    ...ADDRESS,
    ...VERSION,
    result: Type.Enum(['created', 'updated', 'deleted', 'not_found', 'noop'], {
      description: 'The result of the write.',
    }),
    _shards: Shards,
  },
  { title: 'WriteReply', ...OPEN, description: 'The document is written, durable and searchable.' },
);

export const PartialUpdate: TSchema = Type.Object(
  {
    doc: Type.Optional(AnyObject('Members to merge into the document.')),
    upsert: Type.Optional(AnyObject('The document to write if there is none.')),
    doc_as_upsert: Type.Optional(Type.Boolean({ description: 'True uses `doc` as `upsert`.' })),
    script: Type.Optional(Any('A script that changes the document, instead of `doc`.')),
  },
  { title: 'PartialUpdate', ...OPEN, description: 'A partial update.' },
);

const BulkItem = Type.Object(
  {
    _index: Type.String({ description: 'The index of the document.' }),
    _id: Type.Optional(Type.String({ description: 'The id of the document.' })),
    status: Type.Integer({ description: 'The status that a single request would have had.' }),
    error: Type.Optional(AnyObject('Why the action was refused.')),
  },
  {
    title: 'BulkItem',
    ...OPEN,
    description: 'The result of one action, as in the reply to a single request.',
  },
);

export const BulkReply: TSchema = Type.Object(
  {
    took: Type.Integer({ description: 'Milliseconds.' }),
    errors: Type.Boolean({ description: 'True if an action was refused: look at `items`.' }),
    items: Type.Array(Type.Record(Type.String(), BulkItem), {
      description:
        'One object for each action, in the order of the request. Its only member is named after the action.',
    }),
  },
  { title: 'BulkReply', ...OPEN, description: 'The results of all actions.' },
);

export const NewIndex: TSchema = Type.Object(
  {
    mappings: Type.Optional(AnyObject('The types of fields.')),
    settings: Type.Optional(AnyObject('Settings of the index, such as its analyzers.')),
    aliases: Type.Optional(AnyObject('Other names of the index.')),
  },
  { title: 'IndexInput', ...OPEN, description: 'A new index.' },
);

export const IndexCreated: TSchema = Type.Object(
  { acknowledged: Type.Boolean(), shards_acknowledged: Type.Boolean(), index: Type.String() },
  { title: 'IndexCreated', description: 'The index exists.' },
);

export const Acknowledged: TSchema = Type.Object(
  { acknowledged: Type.Boolean() },
  { title: 'Acknowledged', description: 'The change is done.' },
);

export const SearchError: TSchema = Type.Object(
  {
    error: Type.Object(
      {
        type: Type.String({ description: 'The kind of error, for programs.' }),
        reason: Type.Optional(Type.String({ description: 'What was wrong in this request.' })),
      },
      { title: 'SearchErrorCause', ...OPEN, description: 'What was wrong, with causes.' },
    ),
    status: Type.Integer({ description: 'The HTTP status.' }),
  },
  { title: 'SearchError', ...OPEN, description: 'An error as OpenSearch reports it.' },
);
