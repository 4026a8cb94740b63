// A server that says what the test wrote down, one answer after another, and remembers what it was asked.

import type { Fetch } from '../src/transport.ts';

/** One answer: what is thrown, or what comes back; a function may look at the request. */
export type Said =
  | Error
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | ((asked: Asked) => Promise<Response>);

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Bodies that are strings are sent as they are, others as JSON. */
export function fakeFetch(...answers: Said[]): { readonly fetch: Fetch; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const fetch: Fetch = async (url, init) => {
    const request: Asked = {
      method: init.method ?? 'GET',
      url,
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
      signal: init.signal ?? undefined,
    };
    asked.push(request);
    const said = answers[asked.length - 1];
    if (said === undefined) throw new Error('the test has no further answer');
    if (said instanceof Error) throw said;
    if (typeof said === 'function') return await said(request);
    const { status = 200, headers = {}, body } = said;
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  };
  return { fetch, asked };
}
