// How does a request reach the server? One function for all of them: address, key, JSON, time limit, retries, errors.

import { errorOf, OctavoError } from './errors.ts';
import { parseJson, toJson } from './json.ts';
import { newIdempotencyKey, RETRY_DEFAULTS, type RetryPolicy, waitBeforeRetry } from './retry.ts';
import { linkSignals, sleep } from './signals.ts';

/** What is asked of `fetch`; the global one of every runtime has it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:9200`; may have a path. */
  readonly url: string;
  /** An API key as it was printed: sent as `Authorization: ApiKey …`. */
  readonly apiKey?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default globalThis.fetch */
  readonly fetch?: Fetch;
  /** How often a request is sent again, or the policy in full. @default 3 */
  readonly retries?: number | Partial<RetryPolicy>;
  /** The time of one attempt, in ms; event streams have it only until they open. @default 30,000 */
  readonly timeoutMs?: number;
  /** Ends all requests of the client. */
  readonly signal?: AbortSignal;
}

/** Values of a query string; undefined leaves a parameter out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What every call takes. */
export interface CallOptions {
  /** Ends this call, its retries and its waits; the call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What every call that writes takes. */
export interface WriteCallOptions extends CallOptions {
  /** Two calls with one key are one. @default a new one for each call, kept over its retries */
  readonly idempotencyKey?: string | undefined;
}

export interface Call extends WriteCallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a leading slash; parts are encoded by `path`. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The body as it is sent, in the place of one that becomes JSON; `headers` say what it is. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True for calls that may be repeated as they are: reads, searches by POST, a PUT of a document. Others are repeated
   * only if they have an idempotency key, which the endpoint must take: most below `/api` do, the search wire does not.
   */
  readonly safe: boolean;
}

/** A path of parts that may hold anything. */
export function path(parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

export class Transport {
  readonly #options: ClientOptions;
  readonly #fetch: Fetch;
  readonly #base: string;
  readonly #timeoutMs: number;
  readonly policy: RetryPolicy;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#base = options.url.replace(/\/+$/, '');
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    const { retries = {} } = options;
    this.policy = { ...RETRY_DEFAULTS, ...(typeof retries === 'number' ? { retries } : retries) };
  }

  /** Sends a call and gives the parsed body, undefined where there is none. Throws OctavoError. */
  async call<Reply>(call: Call): Promise<Reply> {
    const body = call.text ?? (call.body === undefined ? undefined : toJson(call.body));
    const { idempotencyKey: key, safe } = call;
    const headers = { ...call.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const attempt = async (): Promise<Reply> => {
      const { response, release } = await this.open({ ...call, headers }, body);
      try {
        const text = await this.reading(() => response.text(), call);
        return (text === '' ? undefined : bodyOf(text)) as Reply;
      } finally {
        release();
      }
    };
    return await (safe || key !== undefined ? this.#retrying(call, attempt) : attempt());
  }

  /** The same for a write of an endpoint that takes idempotency keys: with a key of its own if none is given. */
  async write<Reply>(call: Omit<Call, 'safe'>, options: WriteCallOptions): Promise<Reply> {
    const { idempotencyKey = newIdempotencyKey(), signal } = options;
    return await this.call({ ...call, signal, idempotencyKey, safe: false });
  }

  /** Runs attempts until one succeeds, fails for good or is aborted. */
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
   * One attempt: an answer below 400, its body not yet read. The time limit holds until `release`, or until
   * `stopClock` for answers that go on for ever.
   */
  async open(
    call: Call,
    body: string | undefined,
  ): Promise<{ response: Response; release: () => void; stopClock: () => void }> {
    const linked = linkSignals([call.signal, this.#options.signal], this.#timeoutMs);
    try {
      if (linked.signal.aborted) throw linked.signal.reason;
      const response = await this.#fetch(this.#base + call.path + queryString(call.query), {
        method: call.method,
        headers: this.#headers(call, body),
        signal: linked.signal,
        ...(body === undefined ? {} : { body }),
      });
      if (response.status >= 400) {
        const text = await response.text();
        throw errorOf(response.status, response.headers, errorBody(text));
      }
      return { response, release: linked.release, stopClock: linked.stopClock };
    } catch (error) {
      linked.release();
      throw linked.timedOut()
        ? lost('timeout', `${call.method} ${call.path} had no answer within ${this.#timeoutMs} ms.`, error)
        : this.#failure(error, call);
    }
  }

  /** Reads from the body of an answer: a connection that breaks on the way is an error of ours. */
  async reading<Result>(read: () => Promise<Result>, call: Call): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      throw this.#failure(error, call);
    }
  }

  /** What a thrown thing is to the caller: aborts and errors of ours as they are, all else a lost connection. */
  #failure(error: unknown, call: Call): unknown {
    for (const signal of [call.signal, this.#options.signal]) if (signal?.aborted) return signal.reason;
    if (error instanceof OctavoError) return error;
    const said = error instanceof Error ? error.message : String(error);
    return lost('network', `${call.method} ${call.path} did not get through: ${said}`, error);
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

function lost(code: 'network' | 'timeout', detail: string, cause: unknown): OctavoError {
  return new OctavoError({ surface: 'network', status: 0, code, detail, cause });
}

function bodyOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const detail = `The answer is not JSON: ${text.slice(0, 200)}`;
    throw new OctavoError({ surface: 'network', status: 200, code: 'bad-answer', detail, cause: error });
  }
}

function errorBody(text: string): unknown {
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
