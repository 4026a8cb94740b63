// Sends the replies of endpoints: sets headers, applies `filter_path` and `pretty`, compresses, and counts the bytes
// in flight. A long list is sent part by part.

import { ANONYMOUS } from '../../access/callers/principal.ts';
import { COUNTED_BYTES } from '../../access/limits/answer-bytes.ts';
import { chooseEncoding, encodeBody, encodeParts, MIN_ENCODED_BYTES } from '../../http/content-encoding.ts';
import { parseFilterPath } from '../../patterns/filter-path.ts';
import { chain, type MaybePromise, rescue } from '../../sync-first.ts';
import { responseType } from './media-types.ts';
import { formatJson, PLAIN_PRINT, type PrintOptions, printInSlices, printReply } from './print-reply.ts';
import { isFlagSet, NO_PARAMS, type QueryParams } from './query-params.ts';
import type { Reply, Services } from './route.ts';
import { CHUNK_BYTES, listChunks, type StreamedList } from './streamed-list.ts';
import type { WireExchange } from './wire-exchange.ts';

const EMPTY_BUFFER: Buffer = Buffer.alloc(0);

/** Sends the replies of one server. */
export class ReplySender {
  readonly #services: Pick<Services, 'answerBytes' | 'limits'>;
  /** Headers of every answer. */
  readonly #brand: readonly string[];

  constructor(services: Pick<Services, 'answerBytes' | 'limits' | 'options'>) {
    this.#services = services;
    this.#brand =
      services.options.compat === 'elasticsearch'
        ? ['x-elastic-product', 'Elasticsearch']
        : ['x-opensearch-version', 'OpenSearch/3.1.0 (opensearch)'];
  }

  /** Sends a reply with the headers of the peer. `echo` says whether the client gets back its `x-opaque-id`. */
  send(
    exchange: WireExchange,
    reply: Reply,
    params: QueryParams | undefined,
    echo = true,
  ): MaybePromise<void> {
    const { headers: requestHeaders, presetHeaders } = exchange;
    const status = reply.status ?? 200;
    const headers = presetHeaders.length === 0 ? [...this.#brand] : [...this.#brand, ...presetHeaders];
    const opaque = echo ? requestHeaders['x-opaque-id'] : undefined;
    if (opaque !== undefined) headers.push('x-opaque-id', String(opaque));
    let typed = false;
    if (reply.headers !== undefined) {
      for (const name of Object.keys(reply.headers)) {
        const lower = name.toLowerCase();
        const value = reply.headers[name]!;
        headers.push(lower, lower === 'location' ? exchange.mount + value : value);
        typed ||= lower === 'content-type';
      }
    }
    // Otherwise the unread rest of the body would be taken for the next request.
    if (!exchange.isComplete && status >= 400) headers.push('connection', 'close');
    if (reply.list !== undefined) {
      headers.push('content-type', responseType(requestHeaders.accept), 'vary', 'accept-encoding');
      return this.#sendList(exchange, status, headers, reply.list, printOptions(params));
    }
    if (reply.text !== undefined) {
      if (!typed) headers.push('content-type', 'text/plain; charset=UTF-8');
    } else headers.push('content-type', responseType(requestHeaders.accept));
    return chain(this.#bodyOf(reply, printOptions(params)), (body) => {
      if (body.length >= MIN_ENCODED_BYTES) headers.push('vary', 'accept-encoding');
      return this.#sendBody(exchange, status, headers, body);
    });
  }

  /** The bytes of a reply that is no list. Throws if they are more than an answer may have. */
  #bodyOf({ text, bytes, body, isError }: Reply, options: PrintOptions): MaybePromise<Buffer> {
    if (text !== undefined) return Buffer.from(text, 'utf8');
    if (bytes !== undefined) return formatJson(bytes, options);
    if (body === undefined) return EMPTY_BUFFER;
    if (isError) return printReply(body, { ...options, filter: undefined });
    return printInSlices(body, options, this.#services.limits.answerBytes);
  }

  /** Sends a body as a whole, compressed if the client asks for it. */
  #sendBody(exchange: WireExchange, status: number, headers: string[], body: Buffer): MaybePromise<void> {
    const encoding = chooseEncoding(exchange.method, exchange.headers, status, body.length);
    // An error is sent whatever the limits: it says which one was exceeded.
    const onSent = status < 400 ? this.#takeAnswer(exchange, body.length) : undefined;
    return rescue(
      () => {
        if (encoding === undefined) {
          exchange.send(status, headers, body, onSent);
          return undefined;
        }
        return encodeBody(body, encoding).then((bytes) => {
          headers.push('content-encoding', encoding);
          exchange.send(status, headers, bytes, onSent);
        });
      },
      (thrown) => {
        // Nothing was sent.
        onSent?.();
        throw thrown;
      },
    );
  }

  /** Counts an answer as in flight. Returns how to end that; undefined for a short answer, which is not counted. */
  #takeAnswer({ principal }: WireExchange, bytes: number): (() => void) | undefined {
    if (bytes < COUNTED_BYTES) return undefined;
    const { answerBytes } = this.#services;
    const caller = (principal ?? ANONYMOUS).id;
    answerBytes.requireSize(bytes);
    answerBytes.take(caller, bytes);
    return () => answerBytes.release(caller, bytes);
  }

  /** Sends a list: as one body where it is short, else chunk by chunk as the client reads. */
  async #sendList(
    exchange: WireExchange,
    status: number,
    headers: string[],
    list: StreamedList,
    options: PrintOptions,
  ): Promise<void> {
    const { answerBytes: inFlight, limits } = this.#services;
    const caller = (exchange.principal ?? ANONYMOUS).id;
    const chunks = listChunks(list, options, { caller, inFlight, maxBytes: limits.answerBytes });
    const first = (await chunks.next()).value as Buffer;
    if (first.length < CHUNK_BYTES) {
      await chunks.return(undefined);
      await this.#sendBody(exchange, status, headers, first);
      return;
    }
    const parts = startingWith(first, chunks);
    const encoding = chooseEncoding(exchange.method, exchange.headers, status, Number.POSITIVE_INFINITY);
    if (encoding !== undefined) headers.push('content-encoding', encoding);
    const answer = exchange.begin(status, headers);
    try {
      for await (const part of encoding === undefined ? parts : encodeParts(parts, encoding)) {
        await answer.write(part);
        if (exchange.isGone) break;
      }
      answer.end();
    } catch (thrown) {
      exchange.report(thrown);
      answer.abort();
    }
  }
}

/** All parts again, after the first one was taken from them. */
async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function printOptions(params: QueryParams | undefined): PrintOptions {
  if (params === undefined || params === NO_PARAMS) return PLAIN_PRINT;
  const filter = params.list('filter_path');
  return {
    pretty: isFlagSet(params, 'pretty'),
    filter: filter === undefined ? undefined : parseFilterPath(filter),
  };
}
