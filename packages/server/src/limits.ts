// The one table of limits of the server: default, unit, meaning, and what happens beyond it.
// docs/reference/limits.md is printed from this table; each limit can be set by a flag or an environment
// variable. test/limits.test.ts has a row for each.

/** One limit. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** What the limit bounds, in one sentence. */
  readonly meaning: string;
  /** What the caller gets beyond the limit: HTTP status and error type. */
  readonly beyond: string;
  /** The highest value that can be set. */
  readonly most?: number;
}

const MB: number = 1024 * 1024;
const HOUR: number = 3_600_000;

/** The name of a limit. */
export type LimitName =
  | 'bodyBytes'
  | 'apiBodyBytes'
  | 'apiTimeMs'
  | 'headerBytes'
  | 'uriBytes'
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'writeIdleTimeoutMs'
  | 'connectionsCheckMs'
  | 'connections'
  | 'answerBytes'
  | 'answersBytes'
  | 'callerAnswersBytes'
  | 'pageSize'
  | 'nesting'
  | 'jsonBodyBytes'
  | 'jsonValues'
  | 'fieldsPerIndex'
  | 'clauses'
  | 'analyzedChars'
  | 'automatonStates'
  | 'queryTimeMs'
  | 'openLeases'
  | 'leasesPerKey'
  | 'keepAliveMaxMs'
  | 'leaseStateBytes'
  | 'bulkItems'
  | 'mgetItems'
  | 'msearchItems'
  | 'idBytes'
  | 'tokenBytes'
  | 'feedPageSize'
  | 'entryTextBytes'
  | 'entryDataBytes'
  | 'entryAttachments'
  | 'chatMembersAtOnce'
  | 'authFailures'
  | 'eventStreams'
  | 'eventStreamsPerKey'
  | 'eventHeartbeatMs'
  | 'eventsAgeMs'
  | 'eventsKept'
  | 'webhooks'
  | 'clusterConnectMs'
  | 'clusterAnswerMs'
  | 'clusterAnswerBytes'
  | 'clusterAnswersBytes'
  | 'clusterSockets'
  | 'clusterWaiting'
  | 'clusterEventsWaiting'
  | 'clusterIntentMs';

/** All limits by name. */
export const LIMITS: Readonly<Record<LimitName, Limit>> = {
  bodyBytes: {
    value: 100 * MB,
    unit: 'bytes',
    meaning: 'A request body, after decompression.',
    beyond: '413 content_too_long_exception',
  },
  apiBodyBytes: {
    value: 8 * MB,
    unit: 'bytes',
    meaning: 'A request body under `/api`, after decompression.',
    beyond: '413 payload-too-large',
  },
  apiTimeMs: {
    value: 30_000,
    unit: 'ms',
    meaning: 'The time to answer a request under `/api`, counted from its last byte.',
    beyond: '503 timeout; a write may still be carried out',
  },
  headerBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'The first line and all headers of a request.',
    beyond: '431',
  },
  uriBytes: {
    value: 16 * 1024,
    unit: 'bytes',
    meaning: 'The path and the query string of a request.',
    beyond: '414 too_long_http_line_exception',
  },
  headersTimeoutMs: {
    value: 10_000,
    unit: 'ms',
    meaning: 'The time a client may take to send the headers of a request.',
    beyond: '408 and the connection is closed',
  },
  requestTimeoutMs: {
    value: 120_000,
    unit: 'ms',
    meaning: 'The time a client may take to send a whole request.',
    beyond: '408 and the connection is closed',
  },
  keepAliveTimeoutMs: {
    value: 75_000,
    unit: 'ms',
    meaning: 'The time an idle connection stays open.',
    beyond: 'the connection is closed',
  },
  writeIdleTimeoutMs: {
    value: 30_000,
    unit: 'ms',
    meaning: 'How long a client may read nothing of a reply.',
    beyond: 'the connection is closed',
  },
  connectionsCheckMs: {
    value: 2_000,
    unit: 'ms',
    meaning: 'The interval at which connections are checked for slow requests.',
    beyond: 'none: it is an interval',
  },
  connections: {
    value: 10_000,
    unit: 'count',
    meaning:
      'Open connections. Idle connections and connections without a complete request count too. A low `ulimit -n` lowers this limit: at the start, 256 of the files that can still be opened (at most half of them) are reserved for other uses.',
    beyond:
      'A new connection gets 503 with Retry-After and `Connection: close`. While 64 such connections are open, further ones are closed without a reply. `http.dropped` in `_nodes/stats` counts both kinds',
  },
  answerBytes: {
    value: 128 * MB,
    unit: 'bytes',
    meaning:
      'One reply on the search wire, before compression. The reply to a bulk is bounded by `bulkItems` instead.',
    beyond:
      '429 circuit_breaking_exception that names this limit; in an `_msearch` or `_mget` for the item that exceeds it and all later ones',
  },
  answersBytes: {
    value: 256 * MB,
    unit: 'bytes',
    meaning:
      'The replies of all callers that are made and not yet read by their clients. Replies below 4 KB do not count. Long replies to `_msearch`, `_mget` and bulks are made in parts while the client reads.',
    beyond: '429 circuit_breaking_exception that names this limit; under `/api` answer-limit',
  },
  callerAnswersBytes: {
    value: 128 * MB,
    unit: 'bytes',
    meaning:
      'The replies of one caller that are made and not yet read. All callers without a key count as one caller.',
    beyond: '429 circuit_breaking_exception that names this limit; under `/api` answer-limit',
  },
  pageSize: {
    value: 10_000,
    unit: 'count',
    meaning: 'Hits on one page (`size`) of a search or a scroll.',
    beyond: '400 illegal_argument_exception',
  },
  nesting: {
    value: 100,
    unit: 'count',
    meaning: 'Levels of objects and arrays in a JSON body or a document; up to 1,000.',
    beyond: '400 json_parse_exception; for a document mapper_parsing_exception',
    most: 1_000,
  },
  jsonBodyBytes: {
    value: 5 * MB,
    unit: 'bytes',
    meaning:
      'A JSON body that is parsed as a whole, such as a search, an `_mget`, a mapping, or one search of an `_msearch`. Documents and bulks are bounded by `bodyBytes` instead.',
    beyond: '413 content_too_long_exception',
  },
  jsonValues: {
    value: 250_000,
    unit: 'count',
    meaning: 'Values of a JSON body that is parsed as a whole. Each key of an object counts as four.',
    beyond: '400 json_parse_exception; under `/api` invalid-body',
  },
  fieldsPerIndex: {
    value: 1_000,
    unit: 'count',
    meaning:
      'Fields in the mapping of an index without `index.mapping.total_fields.limit`. An index that already has more keeps them.',
    beyond: '400 illegal_argument_exception',
  },
  clauses: {
    value: 1_024,
    unit: 'count',
    meaning:
      'Clauses of a query, after its scored terms are expanded. Also the fields that one field pattern in it matches.',
    beyond: '400 too_many_clauses or too_many_nested_clauses; for fields illegal_argument_exception',
  },
  analyzedChars: {
    value: 262_144,
    unit: 'count',
    meaning: 'Characters of one text of a full-text query, or of all texts of an `_analyze`.',
    beyond: '400 illegal_argument_exception',
  },
  automatonStates: {
    value: 10_000,
    unit: 'count',
    meaning:
      'States of the automaton of a regexp query; `max_determinized_states` of the query can only lower it. Building the automaton may take 30 steps for each state. A wildcard query may have four more states for each of its characters.',
    beyond: '400 illegal_argument_exception',
  },
  queryTimeMs: {
    value: 30_000,
    unit: 'ms',
    meaning: 'The time for a search whose request sets no `timeout`.',
    beyond: '200 with `timed_out: true` and the hits found so far',
  },
  openLeases: {
    value: 100_000,
    unit: 'count',
    meaning: 'Open scrolls and points in time.',
    beyond: 'the oldest is closed; its next use returns 404 search_context_missing_exception',
  },
  leasesPerKey: {
    value: 10_000,
    unit: 'count',
    meaning: 'Open scrolls and points in time of one key.',
    beyond: '429 rejected_execution_exception that names this limit',
  },
  keepAliveMaxMs: {
    value: 24 * HOUR,
    unit: 'ms',
    meaning: 'The longest `keep_alive` or `scroll` that a request may ask for.',
    beyond: '400 illegal_argument_exception',
  },
  leaseStateBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'The request (query and sort) that an open scroll keeps in memory.',
    beyond: '400 illegal_argument_exception',
  },
  bulkItems: {
    value: 1_000_000,
    unit: 'count',
    meaning: 'Actions in one bulk request.',
    beyond: '400 illegal_argument_exception',
  },
  mgetItems: {
    value: 10_000,
    unit: 'count',
    meaning: 'Documents in one `_mget`.',
    beyond: '400 illegal_argument_exception',
  },
  msearchItems: {
    value: 1_000,
    unit: 'count',
    meaning: 'Searches in one `_msearch`, and rated searches in one `_rank_eval`.',
    beyond: '400 illegal_argument_exception',
  },
  idBytes: {
    value: 512,
    unit: 'bytes',
    meaning: 'The id of a new document, in UTF-8; up to 512.',
    beyond: '400 illegal_argument_exception',
    most: 512,
  },
  tokenBytes: {
    value: 2 * 1024,
    unit: 'bytes',
    meaning:
      'A `next_token` or `prev_token`, in a request or in the reply. Long sort values make long tokens.',
    beyond: '400 cursor_invalid; under `/api` invalid-parameter',
  },
  feedPageSize: {
    value: 100,
    unit: 'count',
    meaning: 'Items, messages, chats or members on one page (`limit`) under `/api`.',
    beyond: '400 invalid-parameter',
  },
  entryTextBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'The `text`, or the `markup`, of an item or a message, in UTF-8.',
    beyond: '413 content-too-large',
  },
  entryDataBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'The `data` of an item or a message, as JSON.',
    beyond: '413 content-too-large',
  },
  entryAttachments: {
    value: 32,
    unit: 'count',
    meaning: 'Attachments of an item or a message.',
    beyond: '400 invalid-body',
  },
  chatMembersAtOnce: {
    value: 1_000,
    unit: 'count',
    meaning: 'Members in the request that creates a chat; more can join later.',
    beyond: '400 invalid-body',
  },
  authFailures: {
    value: 100,
    unit: 'count',
    meaning: 'Requests with invalid credentials in a minute from one address (for IPv6 one /64 network).',
    beyond: '429 with Retry-After; requests with valid credentials are still served',
  },
  eventStreams: {
    value: 1_000,
    unit: 'count',
    meaning: 'Open streams of `/api/events`.',
    beyond: '503 unavailable',
  },
  eventStreamsPerKey: {
    value: 100,
    unit: 'count',
    meaning: 'Open streams of `/api/events` of one caller.',
    beyond: '429 rate-limited that names this limit',
  },
  eventHeartbeatMs: {
    value: 15_000,
    unit: 'ms',
    meaning: 'The interval after which a silent stream sends a comment line.',
    beyond: 'none: it is an interval',
  },
  eventsAgeMs: {
    value: 7 * 24 * HOUR,
    unit: 'ms',
    meaning:
      'How long events are kept. Events of embedded documents are not affected: they come from the document log. With `--documents`, the server also tries for this time to find the outcome of an interrupted write. If the index is closed all that time, the server then sends `document.changed` for it.',
    beyond: '410 events-lost for a request for older ones',
  },
  eventsKept: {
    value: 10_000_000,
    unit: 'count',
    meaning: 'How many of the events in `eventsAgeMs` are kept.',
    beyond: '410 events-lost for a request for older ones',
  },
  webhooks: {
    value: 1_000,
    unit: 'count',
    meaning: 'Webhooks of a server.',
    beyond: '503 unavailable',
  },
  clusterConnectMs: {
    value: 2_000,
    unit: 'ms',
    meaning: 'With `--documents`: the time to connect to a node of the cluster.',
    beyond: 'the next node is tried; after the last one 503 no_node_available_exception',
  },
  clusterAnswerMs: {
    value: 60_000,
    unit: 'ms',
    meaning: 'With `--documents`: the time in which a node must send its whole reply.',
    beyond: '503 timeout_exception; the node gets no requests for a while',
  },
  clusterAnswerBytes: {
    value: 256 * MB,
    unit: 'bytes',
    meaning: 'With `--documents`: one reply of the cluster. It is read as a whole before it is passed on.',
    beyond: '400 content_too_long_exception',
  },
  clusterAnswersBytes: {
    value: 1_024 * MB,
    unit: 'bytes',
    meaning: 'With `--documents`: all replies of the cluster together that are being read.',
    beyond: '429 rejected_execution_exception with Retry-After',
  },
  clusterSockets: {
    value: 64,
    unit: 'count',
    meaning: 'With `--documents`: connections to one node of the cluster.',
    beyond: 'requests wait for a free connection',
  },
  clusterWaiting: {
    value: 1_024,
    unit: 'count',
    meaning: 'With `--documents`: requests to the cluster that are running or waiting.',
    beyond: '429 rejected_execution_exception with Retry-After',
  },
  clusterEventsWaiting: {
    value: 100_000,
    unit: 'count',
    meaning: 'With `--documents`: writes whose events the records cannot store at the moment.',
    beyond: '429 rejected_execution_exception for further writes, which are not carried out',
  },
  clusterIntentMs: {
    value: 180_000,
    unit: 'ms',
    meaning:
      'With `--documents`, while document events are read. When a write without a known outcome is this old, other servers assume that its server has ended. Must be more than twice `clusterAnswerMs`.',
    beyond: 'another server looks up the outcome and sends the event',
  },
};

/** The limits of one server, as numbers. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The defaults, with some replaced. Throws RangeError for a value above `most`. */
export function limitsWith(changes: Partial<Record<LimitName, number>> = {}): Limits {
  const out: Partial<Record<LimitName, number>> = {};
  for (const name of Object.keys(LIMITS) as LimitName[]) {
    const { value, most = Number.POSITIVE_INFINITY } = LIMITS[name];
    const given = changes[name] ?? value;
    if (given > most) throw new RangeError(`the limit ${name} can be ${most} at most, not ${given}`);
    out[name] = given;
  }
  return out as Limits;
}
