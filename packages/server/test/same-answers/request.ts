// A request of the suite as data, and the answer to it. Carriers turn requests into bytes, and bytes into
// answers.

/** One request. Targets and bodies may hold names such as `<scroll 1>`: values of answers before it. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
}

/** One answer as it came. */
export interface Answer {
  readonly status: number;
  /** Names in lower case, in the order in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** `METHOD /target` with a body: objects as JSON, texts and bytes as they are. */
export function request(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Request {
  const space = line.indexOf(' ');
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  return {
    method: line.slice(0, space),
    target: line.slice(space + 1),
    headers,
    body: isRaw ? body : JSON.stringify(body),
  };
}

/** Lines of JSON, each with its end: the body of a bulk or of several searches. */
export function lines(...each: readonly unknown[]): string {
  return each.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

/** The request with spaces behind its body; undefined where they might change what it says. */
export function respelled(request: Request, spaces: number): Request | undefined {
  const { body, headers } = request;
  if (typeof body !== 'string' || headers?.['content-encoding'] !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  return { ...request, body: body + ' '.repeat(spaces) };
}
