// Transport: sends every request of the client. It adds the address, key, JSON, time limit, retries and
// errors.

import { errorFromReply, OctavoError } from './errors.ts';
import { parseJson, toJson } from './json.ts';
import { linkSignals, sleep } from './linked-signal.ts';
import { newIdempotencyKey, RETRY_DEFAULTS, type RetryPolicy, waitBeforeRetry } from './retry.ts';

/** The part of `fetch` that the client needs. The global `fetch` of every runtime has it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:9200`. It may have a path. */
  readonly url: string;
  /** An API key, as printed at its creation. Sent as `Authorization: ApiKey …`. */
  readonly apiKey?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default globalThis.fetch */
  readonly fetch?: Fetch;
  /** The most times that a request is sent again, or the whole policy. @default 3 */
  readonly retries?: number | Partial<RetryPolicy>;
  /** The time limit of one attempt, in ms. For event streams it ends when they open. @default 30,000 */
  readonly timeoutMs?: number;
  /** Aborts all requests of the client. */
  readonly signal?: AbortSignal;
}

const OPTIONS: readonly string[] = ['url', 'apiKey', 'headers', 'fetch', 'retries', 'timeoutMs', 'signal'];

/** Values of a query string. Undefined leaves a parameter out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Options of every call. */
export interface CallOptions {
  /** Aborts this call with its retries and waits. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every call that writes. */
export interface WriteCallOptions extends CallOptions {
  /** Calls with the same key take effect once. @default a new key per call, the same for its retries */
  readonly idempotencyKey?: string | undefined;
}

export interface Call extends WriteCallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a leading slash; `encodePath` encodes the parts. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The text of the body, instead of `body`. `headers` give its type. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True for calls that may be repeated without a key: reads, searches by POST, a PUT of a document. Other calls are
   * repeated only with an idempotency key, if the endpoint accepts one. Most below `/api` do; the search wire does not.
   */
  readonly safe: boolean;
}

/** Throws TypeError for an option that a call does not have: a misspelt `idempotencyKey` must not move money twice. */
export function requireOptions(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`There is no option [${unknown}] here. The options are ${known.join(', ')}.`);
}

/** The signal of a call that has no other options. Throws TypeError for another one. */
export function signalOf(options: CallOptions): Pick<CallOptions, 'signal'> {
  requireOptions(options, ['signal']);
  return { signal: options.signal };
}

/** A path of percent-encoded parts. */
export function encodePath(parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

export class Transport {
  readonly #options: ClientOptions;
  readonly #fetch: Fetch;
  readonly #base: string;
  readonly #timeoutMs: number;
  readonly policy: RetryPolicy;

  /** Throws TypeError for an unknown option, or an address that cannot be parsed. */
  constructor(options: ClientOptions) {
    requireOptions(options, OPTIONS);
    const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
    // In a browser the address may be relative to the page.
    if (!URL.canParse(options.url, page))
      throw new TypeError(
        `The option [url] is no address: [${options.url}]. Expected is one such as http://127.0.0.1:9200.`,
      );
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#base = options.url.replace(/\/+$/, '');
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    const { retries = {} } = options;
    this.policy = { ...RETRY_DEFAULTS, ...(typeof retries === 'number' ? { retries } : retries) };
  }

  /** Sends a call and returns the parsed body; undefined if it is empty. Throws OctavoError. */
  async call<Reply>(call: Call): Promise<Reply> {
    const body = call.text ?? (call.body === undefined ? undefined : toJson(call.body));
    const { idempotencyKey: key, safe } = call;
    const headers = { ...call.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const attempt = async (): Promise<Reply> => {
      const { response, release } = await this.open({ ...call, headers }, body);
      try {
        const text = await this.readBody(() => response.text(), call);
        return (text === '' ? undefined : this.#parseBody(text, call)) as Reply;
      } finally {
        release();
      }
    };
    return await (safe || key !== undefined ? this.#retrying(call, attempt) : attempt());
  }

  /** Sends a write to an endpoint that accepts idempotency keys. Makes a key if none is given. */
  async write<Reply>(call: Omit<Call, 'safe'>, options: WriteCallOptions): Promise<Reply> {
    requireOptions(options, ['idempotencyKey', 'signal']);
    const { idempotencyKey = newIdempotencyKey(), signal } = options;
    return await this.call({ ...call, signal, idempotencyKey, safe: false });
  }

  /** Repeats an attempt until it succeeds, fails for good or is aborted. */
  async #retrying<Result>(options: CallOptions, attempt: () => Promise<Result>): Promise<Result> {
    for (let count = 0; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        const wait = waitBeforeRetry(error, count, this.policy);
        if (wait === undefined) throw error;
        await this.sleep(wait, options);
      }
    }
  }

  async sleep(ms: number, { signal }: CallOptions): Promise<void> {
    await sleep(ms, [signal, this.#options.signal]);
  }

  /**
   * One attempt: a reply with a status below 400 and an unread body. The time limit ends with `release`; `stopClock` ends
   * it earlier, for replies without an end.
   */
  async open(
    call: Call,
    body: string | undefined,
  ): Promise<{ response: Response; release: () => void; stopClock: () => void }> {
    const linked = linkSignals([call.signal, this.#options.signal], this.#timeoutMs);
    try {
      if (linked.signal.aborted) throw linked.signal.reason;
      const response = await this.#fetch(this.#urlOf(call), {
        method: call.method,
        headers: this.#headers(call, body),
        signal: linked.signal,
        ...(body === undefined ? {} : { body }),
      });
      if (response.status >= 400) {
        const text = await response.text();
        throw errorFromReply(this.#requestOf(call), response.status, response.headers, parseErrorBody(text));
      }
      return { response, release: linked.release, stopClock: linked.stopClock };
    } catch (error) {
      linked.release();
      throw linked.timedOut()
        ? this.#networkError('timeout', `No reply within ${this.#timeoutMs} ms.`, call, error)
        : this.#failure(error, call);
    }
  }

  /** Reads from the body of a reply. A broken connection becomes an OctavoError. */
  async readBody<Result>(read: () => Promise<Result>, call: Call): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      throw this.#failure(error, call);
    }
  }

  /** The error for the caller: aborts and OctavoErrors unchanged, anything else as a network error. */
  #failure(error: unknown, call: Call): unknown {
    for (const signal of [call.signal, this.#options.signal]) if (signal?.aborted) return signal.reason;
    if (error instanceof OctavoError) return error;
    const reason = error instanceof Error ? withCause(error) : String(error);
    return this.#networkError('network', `The request did not get through: ${reason}`, call, error);
  }

  #urlOf({ path, query }: Call): string {
    return this.#base + path + queryString(query);
  }

  #requestOf(call: Call): string {
    return `${call.method} ${this.#urlOf(call)}`;
  }

  #networkError(code: 'network' | 'timeout', detail: string, call: Call, cause: unknown): OctavoError {
    const request = this.#requestOf(call);
    return new OctavoError({ surface: 'network', status: 0, code, detail, request, cause });
  }

  #parseBody(text: string, call: Call): unknown {
    try {
      return parseJson(text);
    } catch (cause) {
      const detail = `The reply is not JSON: ${text.slice(0, 200)}`;
      const request = this.#requestOf(call);
      throw new OctavoError({ surface: 'network', status: 200, code: 'bad-answer', detail, request, cause });
    }
  }

  #headers(call: Call, body: string | undefined): Record<string, string> {
    const { apiKey, headers } = this.#options;
    return {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === undefined ? {} : { authorization: `ApiKey ${apiKey}` }),
      ...headers,
      ...call.headers,
    };
  }
}

/** `fetch` tells only in the cause why it failed. */
function withCause({ message, cause }: Error): string {
  const reason =
    cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code ?? '') : '';
  return reason === '' ? message : `${message} (${reason})`;
}

function parseErrorBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function queryString(query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
