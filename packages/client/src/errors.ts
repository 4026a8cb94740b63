// What went wrong? One class for all refusals: problems of the application API (RFC 9457), errors of the search wire,
// and answers that never came.

/** Who said no: the application API, the search wire, or nobody, because no answer came or it was none of ours. */
export type ErrorSurface = 'api' | 'search' | 'network';

/** Codes of the client itself, where there is no answer to take one from. */
export type ClientErrorCode = 'network' | 'timeout' | 'bad-answer';

/** Thrown for everything but an abort, which throws the reason of its signal. */
export class OctavoError extends Error {
  override readonly name = 'OctavoError';
  readonly surface: ErrorSurface;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The code of the problem, the type of the search error, or a ClientErrorCode. Programs decide by this. */
  readonly code: string;
  /** A sentence for a person: what was wrong, where, what to do. */
  readonly detail: string;
  /** The parameter or body path that is wrong, where one is. */
  readonly field: string | undefined;
  /** The id of the request in the server's logs. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The body of the answer: problems and search errors may say more. */
  readonly body: unknown;

  constructor(facts: OctavoErrorFacts) {
    const status = facts.status === 0 ? '' : ` (${facts.status})`;
    super(`${facts.code}${status}: ${facts.detail}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.surface = facts.surface;
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.field = facts.field;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.body = facts.body;
  }
}

export interface OctavoErrorFacts {
  readonly surface: ErrorSurface;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly field?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** The error that an answer with a status from 400 is. `body` is parsed JSON, or the text if it is none. */
export function errorOf(
  status: number,
  headers: Headers,
  body: unknown,
  now: number = Date.now(),
): OctavoError {
  const shared = {
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
    // A phase error says little; its first cause says what was wrong.
    const causes = error['root_cause'];
    const cause = Array.isArray(causes) && isRecord(causes[0]) ? causes[0] : error;
    const code = text(cause['type']) ?? error['type'];
    return new OctavoError({ ...shared, surface: 'search', code, detail: text(cause['reason']) ?? code });
  }
  const said = typeof body === 'string' ? body : (text(error) ?? JSON.stringify(body) ?? '');
  return new OctavoError({
    ...shared,
    surface: 'network',
    code: 'bad-answer',
    detail: `An answer with status ${status} that is none of Octavo's: ${said.slice(0, 200)}`,
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
