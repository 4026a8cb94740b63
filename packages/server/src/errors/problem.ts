// How does the application API say no? As RFC 9457 problems, from one table: that of the records, and the server's own.

import { type ErrorKind, RECORDS_ERRORS, RecordsError, type RecordsErrorCode } from '@octavo/records';

/** What the server itself refuses. */
export type ServerProblemCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'payload-too-large'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'unknown-parameter'
  | 'repeated-parameter'
  | 'cursor-invalid'
  | 'cursor-expired'
  | 'cursor-mismatch'
  | 'cursor-forbidden'
  | 'rate-limited'
  | 'events-lost'
  | 'timeout'
  | 'unavailable'
  | 'internal';

const SERVER_PROBLEMS: Readonly<Record<ServerProblemCode, ErrorKind>> = {
  unauthorized: { status: 401, title: 'The request carries no valid key' },
  forbidden: { status: 403, title: 'The key may not do this' },
  'not-found': { status: 404, title: 'There is nothing at this path' },
  'method-not-allowed': { status: 405, title: 'The path does not take this method' },
  'not-acceptable': { status: 406, title: 'No form of the answer is acceptable to the caller' },
  'payload-too-large': { status: 413, title: 'The body is larger than its limit' },
  'uri-too-long': { status: 414, title: 'The path and query string are longer than their limit' },
  'unsupported-media-type': { status: 415, title: 'The body has a media type that is not read here' },
  'unknown-parameter': { status: 400, title: 'The endpoint has no such parameter' },
  'repeated-parameter': { status: 400, title: 'A parameter was given more than once' },
  'cursor-invalid': { status: 400, title: 'The token or cursor is not one' },
  'cursor-expired': { status: 410, title: 'The token is too old' },
  'cursor-mismatch': { status: 400, title: 'The token belongs to another listing' },
  'cursor-forbidden': { status: 403, title: 'The token belongs to another caller' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'events-lost': { status: 410, title: 'The position is older than the events that are kept' },
  timeout: { status: 503, title: 'The time for the request was up' },
  unavailable: { status: 503, title: 'The server cannot answer now' },
  internal: { status: 500, title: 'The server made a mistake' },
};

/** `Retry-After` in seconds where the records have moved: a move is no matter of seconds, and may be for good. */
export const MOVED_RETRY_SECONDS = '60';

export type ProblemCode = ServerProblemCode | RecordsErrorCode;

/** Every problem by code; docs/reference/errors.md is printed from it. */
export const PROBLEMS: Readonly<Record<ProblemCode, ErrorKind>> = { ...RECORDS_ERRORS, ...SERVER_PROBLEMS };

/** Thrown by handlers; the API's error handler prints it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  /** The parameter or body path that is wrong. */
  readonly field: string | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  /** Added to the reply: `Retry-After`, `Allow`. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      readonly field?: string;
      readonly extra?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
    this.code = code;
    this.field = more.field;
    this.extra = more.extra;
    this.headers = more.headers;
  }
}

/** The body of an answer with media type application/problem+json. */
export interface ProblemBody {
  /** `/api/problems/<code>`: a relative URI that answers with the meaning of the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The code again, for programs that do not parse URIs. */
  readonly code: ProblemCode;
  readonly field?: string;
  /** The id of the request, as in the logs. */
  readonly instance?: string;
  readonly [extra: string]: unknown;
}

/** What anything thrown looks like to the caller, who sees all paths below `mount`. What is no problem of theirs shows nothing of itself. */
export function problemBody(thrown: unknown, requestId?: string, mount = ''): ProblemBody {
  const known = thrown instanceof Problem || thrown instanceof RecordsError ? thrown : undefined;
  const code = known?.code ?? 'internal';
  const { status, title } = PROBLEMS[code];
  return {
    ...known?.extra,
    type: `${mount}/api/problems/${code}`,
    title,
    status,
    detail:
      known?.message ?? 'Something went wrong in the server; it is in its log under the id of the request.',
    code,
    ...(known?.field === undefined ? {} : { field: known.field }),
    ...(requestId === undefined ? {} : { instance: requestId }),
  };
}
