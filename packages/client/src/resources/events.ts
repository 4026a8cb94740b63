// What happens? The events of the server as an endless iteration, which goes on after a lost connection where it was.

import { OctavoError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { waitBeforeRetry } from '../retry.ts';
import { type ServerSentEvent, SseParser } from '../sse.ts';
import type { CallOptions, Query, Transport } from '../transport.ts';

/** A CloudEvent (1.0, JSON). */
export interface OctavoEvent {
  /** The position: send the last one as `since` to go on. */
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** What it is about, as the path below `/api`. */
  readonly subject?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly data?: unknown;
  readonly [attribute: string]: unknown;
}

export interface EventQuery extends CallOptions {
  /** The id of the last event that was seen. @default only what happens from now on */
  readonly since?: string;
  /** Filters of the endpoint, as parameters. */
  readonly params?: Query;
  /** A stream that is silent for so long, heartbeats included, is a lost one. @default 60,000 */
  readonly idleMs?: number;
}

/**
 * Events until the signal ends it. After a lost connection it asks again from the last event, with waits that grow
 * while nothing comes; a refusal (such as `events-lost`) is thrown.
 */
export async function* events(transport: Transport, query: EventQuery): AsyncGenerator<OctavoEvent> {
  let last = query.since;
  let failures = 0;
  let retryMs = 0;
  for (;;) {
    try {
      for await (const event of streamOnce(transport, query, last, (ms) => void (retryMs = ms))) {
        failures = 0;
        if (event.id !== undefined) last = event.id;
        yield parseJson(event.data) as OctavoEvent;
      }
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error;
      // A stream that breaks is asked for again for ever, a server that says no only if it says: later.
      if (waitBeforeRetry(error, 0, { ...transport.policy, retries: 1 }) === undefined) throw error;
      if (error.retryAfterMs !== undefined) await transport.sleep(error.retryAfterMs, query);
    }
    const { random, capMs, baseMs } = transport.policy;
    const most = Math.min(capMs, baseMs * 2 ** failures);
    failures = Math.min(failures + 1, 16);
    await transport.sleep(Math.max(retryMs, 0) + random() * most, query);
  }
}

async function* streamOnce(
  transport: Transport,
  { signal, params, idleMs = 60_000 }: EventQuery,
  last: string | undefined,
  onRetry: (ms: number) => void,
): AsyncGenerator<ServerSentEvent> {
  const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
  const call = { method: 'GET', path: '/api/events', query: params, headers, signal, safe: true } as const;
  const { response, release, stopClock } = await transport.open(call, undefined);
  stopClock();
  try {
    if (response.body === null || response.body === undefined) {
      throw new TypeError('this fetch gives no streams: give the client one that does, such as expo/fetch');
    }
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    try {
      for (;;) {
        const { done, value } = await transport.reading(() => within(idleMs, reader.read()), call);
        if (done) return;
        for (const event of parser.push(decoder.decode(value, { stream: true }))) yield event;
        if (parser.retryMs !== undefined) onRetry(parser.retryMs);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  } finally {
    release();
  }
}

/** The same promise, or an error after `ms`: a connection whose other end is gone may never say so. */
function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const detail = `The stream was silent for ${ms} ms.`;
      reject(new OctavoError({ surface: 'network', status: 0, code: 'timeout', detail }));
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
