// The events of the server as an endless iteration, which resumes after the last event when a connection is
// lost.

import { OctavoError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { waitBeforeRetry } from '../retry.ts';
import { type ServerSentEvent, SseParser } from '../sse-parser.ts';
import { type CallOptions, type Query, requireOptions, type Transport } from '../transport.ts';
import type { Account } from './accounts.ts';
import type { ChatFacts, Message } from './chats.ts';
import type { Item } from './feed.ts';
import type { Hold } from './holds.ts';
import type { Key } from './keys.ts';
import type { Transaction } from './transactions.ts';
import type { User } from './users.ts';

type UpdatedChat = ChatFacts & { readonly joined?: readonly string[]; readonly left?: readonly string[] };
type KeySummary = Pick<Key, 'id' | 'name' | 'scopes' | 'expires_at' | 'revoked_at'>;

/** A document without its source. `seq_no` and `version` are absent if it was found deleted after a crash. */
interface DocumentVersion {
  readonly index: string;
  readonly id: string;
  readonly seq_no?: number;
  readonly version?: number;
}

/** What each type of event tells. */
export interface EventData {
  readonly 'octavo.item.created': Item;
  readonly 'octavo.item.updated': Item;
  readonly 'octavo.item.deleted': Pick<Item, 'id' | 'feed'>;
  readonly 'octavo.message.created': Message;
  readonly 'octavo.message.updated': Message;
  readonly 'octavo.message.deleted': Pick<Message, 'id' | 'chat'>;
  readonly 'octavo.chat.created': ChatFacts & { readonly members: readonly string[] };
  readonly 'octavo.chat.updated': UpdatedChat;
  readonly 'octavo.chat.deleted': Pick<ChatFacts, 'id'>;
  readonly 'octavo.account.created': Account;
  readonly 'octavo.account.updated': Account;
  readonly 'octavo.transfer.created': Transaction;
  readonly 'octavo.hold.created': Hold;
  readonly 'octavo.hold.posted': Hold;
  readonly 'octavo.hold.voided': Hold;
  readonly 'octavo.hold.expired': Hold;
  readonly 'octavo.key.created': KeySummary;
  readonly 'octavo.key.updated': KeySummary;
  readonly 'octavo.key.revoked': KeySummary;
  readonly 'octavo.user.created': User;
  readonly 'octavo.user.updated': User;
  readonly 'octavo.user.deleted': Pick<User, 'id'>;
  readonly 'octavo.document.indexed': DocumentVersion;
  readonly 'octavo.document.deleted': DocumentVersion;
  /** A query has changed documents of an index; only the cluster knows which. */
  readonly 'octavo.document.changed': { readonly index: string; readonly by: string };
}

/** A CloudEvent (1.0, JSON) of one type. */
export interface EventOf<Type extends keyof EventData> {
  readonly specversion: '1.0';
  /** The position of the event. Send the last one as `since` to resume. */
  readonly id: string;
  readonly type: Type;
  readonly source: string;
  /** The path of the subject below `/api`, or `{index}/{id}` of a document. */
  readonly subject: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly data: EventData[Type];
}

/** Any event. Its `type` says what its `data` is. */
export type OctavoEvent = { [Type in keyof EventData]: EventOf<Type> }[keyof EventData];

export interface EventQuery extends CallOptions {
  /** The id of the last event that was received. @default only new events */
  readonly since?: string;
  /** Filters, as query parameters of the endpoint. */
  readonly params?: Query;
  /** A stream without events or heartbeats for this time, in ms, counts as lost. @default 60,000 */
  readonly idleMs?: number;
}

/**
 * Events until the signal aborts. After a lost connection it reconnects from the last event, with growing waits while no
 * event arrives. A refusal such as `events-lost` is thrown.
 */
export async function* streamEvents(transport: Transport, query: EventQuery): AsyncGenerator<OctavoEvent> {
  requireOptions(query, ['since', 'params', 'idleMs', 'signal']);
  let last = query.since;
  let failures = 0;
  let retryMs = 0;
  for (;;) {
    try {
      for await (const event of readStream(transport, query, last, (ms) => void (retryMs = ms))) {
        failures = 0;
        if (event.id !== undefined) last = event.id;
        yield parseJson(event.data) as OctavoEvent;
      }
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error;
      // Lost streams are reopened without limit; a refusal only if the server allows a retry.
      if (waitBeforeRetry(error, 0, { ...transport.policy, retries: 1 }) === undefined) throw error;
      if (error.retryAfterMs !== undefined) await transport.sleep(error.retryAfterMs, query);
    }
    const { random, capMs, baseMs } = transport.policy;
    const most = Math.min(capMs, baseMs * 2 ** failures);
    failures = Math.min(failures + 1, 16);
    await transport.sleep(Math.max(retryMs, 0) + random() * most, query);
  }
}

async function* readStream(
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
      throw new TypeError('this fetch returns no streams: pass a fetch that does, such as expo/fetch');
    }
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    try {
      for (;;) {
        const { done, value } = await transport.readBody(() => withTimeout(idleMs, reader.read()), call);
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

/** The promise, or an error after `ms`: a dead peer may never close its connection. */
function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the stream was silent for ${ms} ms`));
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
