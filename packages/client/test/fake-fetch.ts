// A fetch with scripted replies, one after another, that records the requests.

import type { Fetch } from '../src/transport.ts';

/** One scripted reply: an error to throw, a response, or a function of the request. */
export type FakeReply =
  | Error
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | ((request: SentRequest) => Promise<Response>);

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Bodies that are strings are sent as they are, others as JSON. */
export function fakeFetch(...answers: FakeReply[]): {
  readonly fetch: Fetch;
  readonly requests: SentRequest[];
} {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (url, init) => {
    const request: SentRequest = {
      method: init.method ?? 'GET',
      url,
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
      signal: init.signal ?? undefined,
    };
    requests.push(request);
    const reply = answers[requests.length - 1];
    if (reply === undefined) throw new Error('the test has no further reply');
    if (reply instanceof Error) throw reply;
    if (typeof reply === 'function') return await reply(request);
    const { status = 200, headers = {}, body } = reply;
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  };
  return { fetch, requests };
}
