// The problems of the application API (RFC 9457), in one table: those of the records and the server's own.

import { type ErrorKind, RECORDS_ERRORS, RecordsError, type RecordsErrorCode } from '@octavo/records';

/** Problems of the server itself. */
type ServerProblemCode =
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
  | 'answer-limit'
  | 'events-lost'
  | 'timeout'
  | 'unavailable'
  | 'internal';

const SERVER_PROBLEMS: Readonly<Record<ServerProblemCode, ErrorKind>> = {
  unauthorized: {
    status: 401,
    title: 'The request carries no valid key',
    remedy: 'Send `Authorization: ApiKey …` with a key that exists and has not expired.',
  },
  forbidden: {
    status: 403,
    title: 'The key may not do this',
    remedy: 'Use a key with the scope that the detail names, or ask an administrator for it.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing at this path',
    remedy: 'Check the path; `/api/openapi.json` lists all paths.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The path does not support this method',
    remedy: 'Use a method that `/api/openapi.json` lists for the path.',
  },
  'not-acceptable': {
    status: 406,
    title: 'The Accept header excludes every media type of the reply',
    remedy: 'Add the media type that the detail names to `Accept`.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is larger than its limit',
    remedy: 'Split the request, or ask the operator to raise the limit.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The path and query string are longer than their limit',
    remedy: 'Send long values in the body.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type of the body is not supported',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'unknown-parameter': {
    status: 400,
    title: 'The endpoint has no such parameter',
    remedy: 'Leave the parameter out, or correct its name.',
  },
  'repeated-parameter': {
    status: 400,
    title: 'A parameter was given more than once',
    remedy: 'Send the parameter once.',
  },
  'cursor-invalid': {
    status: 400,
    title: 'The token or cursor cannot be read',
    remedy: 'Send the token exactly as a reply returned it.',
  },
  'cursor-expired': {
    status: 410,
    title: 'The token has expired',
    remedy: 'Start again from the first page.',
  },
  'cursor-mismatch': {
    status: 400,
    title: 'The token belongs to another list',
    remedy:
      'Send the token with the parameters of the list that returned it. `changed` names the parameters that differ.',
  },
  'cursor-forbidden': {
    status: 403,
    title: 'The token belongs to another caller',
    remedy: 'Use the key that received the token.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait as long as `Retry-After` says, and send requests at a lower rate.',
  },
  'answer-limit': {
    status: 429,
    title: 'The client has too many unread bytes of replies',
    remedy: 'Read the open replies to the end, then send the request again.',
  },
  'events-lost': {
    status: 410,
    title: 'The events after the position are no longer kept',
    remedy: 'Read the current state again, then follow events without a position.',
  },
  timeout: {
    status: 503,
    title: 'The request took too long',
    remedy:
      'Ask for less, or send the request again later. Check first whether a write was carried out, or send its `Idempotency-Key` again.',
  },
  unavailable: {
    status: 503,
    title: 'The server cannot carry out the request now',
    remedy: 'Send the request again after `Retry-After`.',
  },
  internal: {
    status: 500,
    title: 'The server failed',
    remedy: 'This is a defect of the server: report it with the request id.',
  },
};

/** `Retry-After` in seconds where the records have moved: a move is no matter of seconds, and may be for good. */
export const MOVED_RETRY_SECONDS = '60';

export type ProblemCode = ServerProblemCode | RecordsErrorCode;

/** Every problem by code; docs/reference/errors.md is generated from it. */
export const PROBLEMS: Readonly<Record<ProblemCode, ErrorKind>> = { ...RECORDS_ERRORS, ...SERVER_PROBLEMS };

/** Thrown by handlers and printed by the API's error handler. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  /** The wrong parameter or body path. */
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

/** The answer to everything while the server loads what it is to serve. */
export function serverStarting(progress: string): Problem {
  return new Problem('unavailable', `The server is starting. ${progress}`, {
    headers: { 'retry-after': '1' },
  });
}

/** The body of an answer with media type application/problem+json. */
interface ProblemBody {
  /** `/api/problems/<code>`: a relative URI that describes the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The code again, for programs that do not parse URIs. */
  readonly code: ProblemCode;
  readonly field?: string;
  /** The request id, as in the logs. */
  readonly instance?: string;
  readonly [extra: string]: unknown;
}

/**
 * The body for anything thrown; `mount` prefixes all paths. Anything but a problem reveals nothing of itself.
 */
export function problemBody(thrown: unknown, requestId?: string, mount = ''): ProblemBody {
  const known = thrown instanceof Problem || thrown instanceof RecordsError ? thrown : undefined;
  const code = known?.code ?? 'internal';
  const { status, title } = PROBLEMS[code];
  return {
    ...known?.extra,
    type: `${mount}/api/problems/${code}`,
    title,
    status,
    detail: known?.message ?? 'The server failed. Its log has the details under the request id.',
    code,
    ...(known?.field === undefined ? {} : { field: known.field }),
    ...(requestId === undefined ? {} : { instance: requestId }),
  };
}
