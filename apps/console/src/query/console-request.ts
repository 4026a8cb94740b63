// A request of the query editor: what is wrong with it, and how it is sent.

export interface ConsoleRequest {
  readonly method: string;
  /** The slash at its start may be missing. */
  readonly path: string;
  /** JSON, JSON lines, or empty. */
  readonly body: string;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Endpoints whose body has a JSON value in each line. */
const TAKES_LINES = /(?:^|\/)_(?:bulk|msearch)(?:\/template)?\/?(?:\?|$)/;
/** Endpoints that only read, and take a body with GET as well as with POST. */
const READS =
  /\/_(?:search|count|msearch|mget|analyze|explain|validate|field_caps|m?termvectors|rank_eval|render)(?!\/point_in_time)(?:[/?]|$)/;

export function takesLines({ path }: ConsoleRequest): boolean {
  return TAKES_LINES.test(path);
}

/** True if the request may be sent again after a lost reply. */
export function onlyReads({ method, path }: ConsoleRequest): boolean {
  return method === 'GET' || (method === 'POST' && READS.test(path));
}

/** The media type of the body. */
export function contentType(request: ConsoleRequest): string {
  return takesLines(request) ? 'application/x-ndjson' : 'application/json';
}

interface SentRequest {
  readonly method: Method;
  readonly path: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly safe: boolean;
}

/**
 * The call of a request. Browsers send no body with GET: a search by GET is sent by POST, which does the same. Other requests by GET
 * are sent without the body.
 */
export function sentRequest(request: ConsoleRequest): SentRequest {
  const { body } = request;
  const path = request.path.startsWith('/') ? request.path : `/${request.path}`;
  const isGet = request.method === 'GET';
  const hasBody = body.trim() !== '' && (!isGet || READS.test(path));
  const method = isGet && hasBody ? 'POST' : (request.method as Method);
  const call = { method, path, safe: onlyReads({ ...request, path }) };
  if (!hasBody) return call;
  const text = takesLines(request) ? `${body.trim()}\n` : body;
  return { ...call, text, headers: { 'content-type': contentType(request) } };
}

/** The first fault of the body as JSON or as JSON lines; undefined if there is none. */
export function bodyFault(request: ConsoleRequest): string | undefined {
  const texts = takesLines(request) ? request.body.split('\n') : [request.body];
  for (const [at, text] of texts.entries()) {
    try {
      if (text.trim() !== '') JSON.parse(text);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return texts.length > 1 ? `Line ${at + 1}: ${fault}` : fault;
    }
  }
  return undefined;
}
