// OctavoError: the one error class of the client. It covers problems of the application API (RFC 9457),
// errors of the search wire, and replies that never arrived.

/** The origin of an error: the application API, the search wire, or `network` (no reply, or not one of Octavo's). */
export type ErrorSurface = 'api' | 'search' | 'network';

/** Codes that the client sets itself, if there is no reply to take one from. */
export type ClientErrorCode = 'network' | 'timeout' | 'bad-answer';

/** Thrown for every failure except an abort, which throws the reason of its signal. */
export class OctavoError extends Error {
  override readonly name = 'OctavoError';
  readonly surface: ErrorSurface;
  /** The HTTP status; 0 if no reply arrived. */
  readonly status: number;
  /** The code of the problem, the type of the search error, or a ClientErrorCode. Meant for programs. */
  readonly code: string;
  /** A sentence for a person: the fault, its place and the remedy. */
  readonly detail: string;
  /** The wrong parameter or body path, if there is one. */
  readonly field: string | undefined;
  /** The id of the request in the server's logs. */
  readonly requestId: string | undefined;
  /** The wait that the server asks for, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The method and address of the request. */
  readonly request: string;
  /** The body of the reply. Problems and search errors may have more members. */
  readonly body: unknown;

  constructor(facts: OctavoErrorFacts) {
    const status = facts.status === 0 ? '' : ` (${facts.status})`;
    super(
      `${facts.code}${status}: ${facts.detail} [${facts.request}]`,
      facts.cause === undefined ? {} : { cause: facts.cause },
    );
    this.surface = facts.surface;
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.field = facts.field;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.request = facts.request;
    this.body = facts.body;
  }
}

export interface OctavoErrorFacts {
  readonly surface: ErrorSurface;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request: string;
  readonly field?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** The error of a reply to a request with a status of 400 or more. `body` is parsed JSON, or the text if it is not JSON. */
export function errorFromReply(
  request: string,
  status: number,
  headers: Headers,
  body: unknown,
  now: number = Date.now(),
): OctavoError {
  const shared = {
    request,
    status,
    body,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfter(headers.get('retry-after'), now),
  };
  const answer = isRecord(body) ? body : {};
  if (typeof answer['code'] === 'string') {
    const { code, detail, title, field } = answer;
    return new OctavoError({
      ...shared,
      surface: 'api',
      code,
      detail: text(detail) ?? text(title) ?? code,
      field: text(field),
    });
  }
  const error = answer['error'];
  if (isRecord(error) && typeof error['type'] === 'string') {
    // The first cause of a phase error says more than the error itself.
    const causes = error['root_cause'];
    const cause = Array.isArray(causes) && isRecord(causes[0]) ? causes[0] : error;
    const code = text(cause['type']) ?? error['type'];
    return new OctavoError({ ...shared, surface: 'search', code, detail: text(cause['reason']) ?? code });
  }
  const excerpt = typeof body === 'string' ? body : (text(error) ?? JSON.stringify(body) ?? '');
  return new OctavoError({
    ...shared,
    surface: 'network',
    code: 'bad-answer',
    detail: `A reply with status ${status} that is not one of Octavo's: ${excerpt.slice(0, 200)}`,
  });
}

/** `Retry-After` in ms: seconds, or a date (RFC 9110). */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
