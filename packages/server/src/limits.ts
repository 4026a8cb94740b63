// How much is too much? Every limit of the server in one table: its default, its unit, what happens beyond it.
// docs/reference/limits.md is printed from this table; each can be set by a flag or an environment variable.

/** One limit. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** What is counted, in one sentence. */
  readonly meaning: string;
  /** What the caller gets beyond it: HTTP status and error type. */
  readonly beyond: string;
  /** No server can have more. */
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
  | 'pageSize'
  | 'nesting'
  | 'fieldsPerIndex'
  | 'clauses'
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
    beyond: '413',
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
    meaning: 'The time for the answer to a request under `/api`, from when all of it has come.',
    beyond: '503 timeout; a write may still happen',
  },
  headerBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'All headers of a request together with its first line.',
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
    meaning: 'The time a client may go without reading anything of an answer that waits for it.',
    beyond: 'the connection is closed',
  },
  connectionsCheckMs: {
    value: 2_000,
    unit: 'ms',
    meaning: 'How often connections are checked for requests that arrive too slowly.',
    beyond: 'nothing: it is a period',
  },
  connections: {
    value: 10_000,
    unit: 'count',
    meaning: 'Open connections, idle and half-open ones with them. Those that are open go on being served.',
    beyond: 'a new connection is closed at once and counted (`http.dropped` of `_nodes/stats`)',
  },
  pageSize: {
    value: 10_000,
    unit: 'count',
    meaning: 'Hits of one page (`size`), of a search or a scroll.',
    beyond: '400 illegal_argument_exception',
  },
  nesting: {
    value: 100,
    unit: 'count',
    meaning: 'Depth of objects and arrays in a JSON body, and in a document; up to 1,000.',
    beyond: '400 json_parse_exception; of a document mapper_parsing_exception',
    most: 1_000,
  },
  fieldsPerIndex: {
    value: 1_000,
    unit: 'count',
    meaning:
      'Fields in the mapping of an index that sets no `index.mapping.total_fields.limit`. One that has more already keeps them.',
    beyond: '400 illegal_argument_exception',
  },
  clauses: {
    value: 1_024,
    unit: 'count',
    meaning:
      'Clauses of a query, after expansion of its terms where they are scored, and fields that a pattern in it stands for.',
    beyond: '400 too_many_clauses',
  },
  automatonStates: {
    value: 10_000,
    unit: 'count',
    meaning:
      'States of the automaton of a regexp query that sets no lower `max_determinized_states`; of a wildcard query, beside four for each character.',
    beyond: '400 illegal_argument_exception',
  },
  queryTimeMs: {
    value: 30_000,
    unit: 'ms',
    meaning: 'Time for one search, where the request gives none.',
    beyond: '200 with timed_out: true and what was found so far',
  },
  openLeases: {
    value: 100_000,
    unit: 'count',
    meaning: 'Open scrolls and points in time.',
    beyond: 'the oldest is closed; its next use is 404 search_context_missing_exception',
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
    meaning: 'The life that a scroll or a point in time may be given at a time.',
    beyond: '400 illegal_argument_exception',
  },
  leaseStateBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    meaning: 'The request (query, sort) that an open scroll keeps.',
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
    meaning: 'Documents asked for by one _mget.',
    beyond: '400 illegal_argument_exception',
  },
  msearchItems: {
    value: 1_000,
    unit: 'count',
    meaning: 'Searches in one _msearch.',
    beyond: '400 illegal_argument_exception',
  },
  idBytes: {
    value: 512,
    unit: 'bytes',
    meaning: 'The id that a document is given, in UTF-8; up to 512.',
    beyond: '400 illegal_argument_exception',
    most: 512,
  },
  tokenBytes: {
    value: 2 * 1024,
    unit: 'bytes',
    meaning: 'A `next_token` or `prev_token`, read or made (of long sort values).',
    beyond: '400 cursor_invalid; under `/api` invalid-parameter',
  },
  feedPageSize: {
    value: 100,
    unit: 'count',
    meaning: 'Items, messages, chats or members of one page (`limit`) under `/api`.',
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
    meaning: 'Members that a chat is made with; others can join it afterwards.',
    beyond: '400 invalid-body',
  },
  authFailures: {
    value: 100,
    unit: 'count',
    meaning: 'Requests of one address (of IPv6, one /64) in a minute with credentials that are not valid.',
    beyond: '429 with Retry-After; valid credentials are let through',
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
    meaning: 'The time after which a stream in which nothing happens is sent a comment.',
    beyond: 'nothing: it is a period',
  },
  eventsAgeMs: {
    value: 7 * 24 * HOUR,
    unit: 'ms',
    meaning:
      'The time that events of items, messages, transfers and keys are kept, and of documents in a cluster. A document of a write that was begun and not told is looked at for as long; one that cannot be, in a closed index, is then told as `document.changed` of its index.',
    beyond: '410 events-lost for who asks for older ones',
  },
  eventsKept: {
    value: 10_000_000,
    unit: 'count',
    meaning: 'The number of those events that are kept.',
    beyond: '410 events-lost for who asks for older ones',
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
    meaning: 'With `--documents`: the time for a connection to a node of the cluster.',
    beyond: 'the next node is asked; 503 no_node_available_exception when there is none',
  },
  clusterAnswerMs: {
    value: 60_000,
    unit: 'ms',
    meaning: 'With `--documents`: the time for the whole answer of a node.',
    beyond: '503 timeout_exception; the node is set aside for a while',
  },
  clusterAnswerBytes: {
    value: 256 * MB,
    unit: 'bytes',
    meaning: 'With `--documents`: an answer of the cluster, which is taken whole before any of it goes out.',
    beyond: '400 content_too_long_exception',
  },
  clusterAnswersBytes: {
    value: 1_024 * MB,
    unit: 'bytes',
    meaning: 'With `--documents`: answers of the cluster that are being taken at once, all together.',
    beyond: '429 rejected_execution_exception with Retry-After',
  },
  clusterSockets: {
    value: 64,
    unit: 'count',
    meaning: 'With `--documents`: connections to one node of the cluster.',
    beyond: 'requests wait for one another',
  },
  clusterWaiting: {
    value: 1_024,
    unit: 'count',
    meaning: 'With `--documents`: requests to the cluster that run or wait at once.',
    beyond: '429 rejected_execution_exception with Retry-After',
  },
  clusterEventsWaiting: {
    value: 100_000,
    unit: 'count',
    meaning: 'With `--documents`: writes that are done, and whose events the records do not take now.',
    beyond: 'writes of documents are 429 rejected_execution_exception, before they are done',
  },
  clusterIntentMs: {
    value: 180_000,
    unit: 'ms',
    meaning:
      'With `--documents`, while events of documents are followed: the time after which a write that was begun and not told belongs to a server that has gone. More than twice `clusterAnswerMs`.',
    beyond: 'any server looks what became of it, and tells that',
  },
};

/** The limits of one server, as numbers. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The defaults, with some replaced. Throws RangeError where no server can have so much. */
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
