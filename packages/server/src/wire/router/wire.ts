// The steps around every endpoint of the search wire. Before it: read the parameters, find the route, read the
// body, and guard the engine for the caller. After it: turn errors into the peer's bodies, apply `filter_path`
// and `pretty`, set headers, and send.

import { EngineError, type JsonObject, type JsonValue, NeedsWriterThread } from '@octavo/engine';
import { ANONYMOUS, type Principal } from '../../access/callers/principal.ts';
import { guardEngine, withVisibleCounts } from '../../access/guard/guarded-engine.ts';
import { COUNTED_BYTES } from '../../access/limits/answer-bytes.ts';
import { LeaseQuota } from '../../access/limits/lease-quota.ts';
import { asEngineError, errorBody, SearchPhaseError } from '../../errors/error-body.ts';
import { locateError } from '../../errors/error-location.ts';
import { NO_BYTES, withoutByteOrderMark } from '../../http/body-reader.ts';
import { chooseEncoding, encodeBody, encodeParts, MIN_ENCODED_BYTES } from '../../http/content-encoding.ts';
import { type JsonLimits, parseBody, parseObjectBody } from '../../json/json-body.ts';
import { parseFilterPath } from '../../patterns/filter-path.ts';
import { chain, finish, type MaybePromise, rescue } from '../../sync-first.ts';
import { acceptsBody, refuseForeignBody, refuseForeignFormat, responseType } from './media-types.ts';
import { formatJson, PLAIN_PRINT, type PrintOptions, printInSlices, printReply } from './print-reply.ts';
import { QueryParams, refusePreference } from './query-params.ts';
import { type Call, callEndpoint, type Reply, type Route, type Services } from './route.ts';
import { RouteTable } from './route-table.ts';
import { CHUNK_BYTES, listChunks, type StreamedList } from './streamed-list.ts';
import type { WireExchange } from './wire-exchange.ts';

/** Endpoints that show numbers of documents. A caller with a document filter gets numbers of its own documents. */
const SHOWS_FIGURES = /\/_(?:cat|stats|nodes|cluster|segments|recovery|shard_stores)\b/;

/** The search wire over one table of routes. */
export class Wire {
  readonly #table: RouteTable;
  readonly #services: Services;
  readonly #guarded = new WeakMap<Principal, Services>();
  readonly #quota: LeaseQuota;
  /** Headers of every answer. */
  readonly #brand: readonly string[];

  constructor(routes: readonly Route[], services: Services) {
    this.#table = new RouteTable(routes);
    this.#services = services;
    this.#quota = new LeaseQuota(services.limits.leasesPerKey);
    this.#brand =
      services.options.compat === 'elasticsearch'
        ? ['x-elastic-product', 'Elasticsearch']
        : ['x-opensearch-version', 'OpenSearch/3.1.0 (opensearch)'];
  }

  /** The route of a request; undefined if there is none, or if its path cannot be decoded. */
  routeOf(method: string, url: string): Route | undefined {
    const queryAt = url.indexOf('?');
    try {
      return this.#table.find(method, queryAt < 0 ? url : url.slice(0, queryAt)).route;
    } catch (error) {
      // `answer` reports this error.
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }

  /** Answers one request, in this call if nothing has to be waited for. Never throws. */
  answer(exchange: WireExchange): MaybePromise<void> {
    const call = new WireCall(exchange, this.#services.limits);
    return finish(
      () => {
        const reply = rescue<Reply | undefined>(
          () => this.#handle(exchange, call),
          (thrown) =>
            thrown instanceof NeedsWriterThread && exchange.relay?.() === true
              ? undefined
              : failure(call.located(thrown), call.paramsRead, exchange),
        );
        return chain(reply, (reply) => reply && this.#answerWith(exchange, reply, call.paramsRead));
      },
      () => call.done(),
    );
  }

  #answerWith(exchange: WireExchange, reply: Reply, params: QueryParams | undefined): MaybePromise<void> {
    return rescue(
      () => this.#send(exchange, reply, params),
      (thrown) => {
        if (exchange.isAnswered) return undefined;
        // The first items of a list are made while it is sent.
        if (thrown instanceof NeedsWriterThread && exchange.relay?.() === true) return undefined;
        // For example a header that HTTP cannot carry: every request gets an answer.
        return this.#send(exchange, failure(thrown, params, exchange), params, false);
      },
    );
  }

  #handle(exchange: WireExchange, call: WireCall): MaybePromise<Reply> {
    const { limits } = this.#services;
    const { method, uri } = call;
    call.readParams();
    if (exchange.url.length > limits.uriBytes) {
      throw new EngineError(
        'too_long_http_line_exception',
        `An HTTP line is larger than ${limits.uriBytes} bytes.`,
      );
    }
    const found = this.#table.find(method, uri);
    if (found.route === undefined) return notFound(method, uri, found.allowed);
    const { route, path } = found;
    exchange.routeName = route.path;
    const body = exchange.body(limits.bodyBytes);
    return chain(body, (body) => this.#handleBody(exchange, call, route, path, withoutByteOrderMark(body)));
  }

  #handleBody(
    exchange: WireExchange,
    call: WireCall,
    route: Route,
    path: Call['path'],
    body: Uint8Array,
  ): MaybePromise<Reply> {
    const { headers, principal } = exchange;
    const contentType = headers['content-type'];
    if (body.length > 0 && !acceptsBody(contentType)) return unsupportedType(contentType);
    const { params } = call;
    call.path = path;
    call.body = body.length > 0 ? body : sourceParam(params);
    try {
      params.refuseUnknown(route.params, call.uri);
    } catch (unknown) {
      route.checkBody?.(call);
      throw unknown;
    }
    refusePreference(params.string('preference'));
    refuseForeignFormat(params.string('format'), headers.accept);
    if (principal === ANONYMOUS) return callEndpoint(route.handle, call, this.#services);
    return chain(this.#servicesOf(principal, route), (services) =>
      callEndpoint(route.handle, call, services),
    );
  }

  /** The services of a caller: its engine shows and does only what the caller may. */
  #servicesOf(principal: Principal | null, route: Route): MaybePromise<Services> {
    // The principal is null only if no access rule has seen the request.
    if (principal === null)
      throw new EngineError('security_exception', 'the request was not authenticated', { status: 401 });
    let services = this.#guarded.get(principal);
    if (services === undefined) {
      const { engine } = this.#services;
      services = { ...this.#services, principal, engine: guardEngine(engine, principal, this.#quota) };
      this.#guarded.set(principal, services);
    }
    if (principal.documentFilter === undefined || !SHOWS_FIGURES.test(route.path)) return services;
    const own = services;
    return withVisibleCounts(own.engine).then((engine) => ({ ...own, engine }));
  }

  #send(
    exchange: WireExchange,
    answer: Reply,
    params: QueryParams | undefined,
    echo = true,
  ): MaybePromise<void> {
    const { headers: requestHeaders, presetHeaders } = exchange;
    const status = answer.status ?? 200;
    const headers = presetHeaders.length === 0 ? [...this.#brand] : [...this.#brand, ...presetHeaders];
    const opaque = echo ? requestHeaders['x-opaque-id'] : undefined;
    if (opaque !== undefined) headers.push('x-opaque-id', String(opaque));
    let typed = false;
    if (answer.headers !== undefined) {
      for (const name of Object.keys(answer.headers)) {
        const lower = name.toLowerCase();
        const value = answer.headers[name]!;
        headers.push(lower, lower === 'location' ? exchange.mount + value : value);
        typed ||= lower === 'content-type';
      }
    }
    // Otherwise the unread rest of the body would be taken for the next request.
    if (!exchange.isComplete && status >= 400) headers.push('connection', 'close');
    if (answer.list !== undefined) {
      headers.push('content-type', responseType(requestHeaders.accept), 'vary', 'accept-encoding');
      return this.#sendList(exchange, status, headers, answer.list, printOptions(params));
    }
    if (answer.text !== undefined) {
      if (!typed) headers.push('content-type', 'text/plain; charset=UTF-8');
    } else headers.push('content-type', responseType(requestHeaders.accept));
    return chain(this.#bodyOf(answer, printOptions(params)), (body) => {
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
    const { answerBytes: bytes, limits } = this.#services;
    const caller = (exchange.principal ?? ANONYMOUS).id;
    const chunks = listChunks(list, options, { caller, bytes, answerBytes: limits.answerBytes });
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

const EMPTY_BUFFER: Buffer = Buffer.alloc(0);
const NO_PARAMS = new QueryParams('');
const NO_PATH: Call['path'] = {};

/** One request as endpoints see it. Path, parameters and body are set while it is read. */
class WireCall implements Call {
  readonly method: string;
  readonly uri: string;
  readonly queryString: string;
  path: Call['path'] = NO_PATH;
  body: Uint8Array = NO_BYTES;
  /** Undefined before `readParams`. */
  paramsRead: QueryParams | undefined;
  readonly #exchange: WireExchange;
  readonly #limits: JsonLimits;
  #parsed: JsonValue | undefined;
  #stop: (() => void) | undefined;
  #signal: AbortSignal | undefined;

  constructor(exchange: WireExchange, limits: JsonLimits) {
    const { method, url } = exchange;
    const queryAt = url.indexOf('?');
    this.#exchange = exchange;
    this.#limits = limits;
    this.method = method;
    this.uri = queryAt < 0 ? url : url.slice(0, queryAt);
    this.queryString = queryAt < 0 ? '' : url.slice(queryAt + 1);
  }

  /** Reads the query string. Throws if it cannot be decoded. */
  readParams(): void {
    this.paramsRead = this.queryString === '' ? NO_PARAMS : new QueryParams(this.queryString);
  }

  /** REQUIRES: readParams. */
  get params(): QueryParams {
    return this.paramsRead!;
  }

  get headers(): Readonly<Record<string, string | string[] | undefined>> {
    return this.#exchange.headers;
  }

  get hasBody(): boolean {
    return this.body.length > 0;
  }

  json(): JsonValue | undefined {
    this.#parsed = parseBody(this.body, this.#limits);
    return this.#parsed;
  }

  object(): JsonObject {
    const object = parseObjectBody(this.body, this.#limits);
    this.#parsed = object;
    return object;
  }

  /** The error, with its line and column in the body. */
  located(thrown: unknown): unknown {
    if (!(thrown instanceof EngineError) || thrown instanceof SearchPhaseError) return thrown;
    return locateError(thrown, this.#parsed, this.body);
  }

  get isGone(): boolean {
    return this.#exchange.hasHungUp;
  }

  /** Made on first use: most requests end before a client can abort them. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      this.#signal = controller.signal;
      if (this.isGone) controller.abort();
      else this.#stop = this.#exchange.onGone(() => controller.abort());
    }
    return this.#signal;
  }

  /** Stops listening for an abort: the socket goes on with other requests. */
  done(): void {
    this.#stop?.();
  }
}

/** `?source=…&source_content_type=…`: a body for clients that cannot send one. */
function sourceParam(params: QueryParams): Uint8Array {
  const source = params.string('source');
  if (source === undefined) return NO_BYTES;
  const type = params.string('source_content_type');
  if (type === undefined || !acceptsBody(type)) {
    throw new EngineError(
      'illegal_argument_exception',
      type === undefined
        ? 'source and source_content_type parameters are required'
        : `Unknown value for source_content_type [${type}]`,
    );
  }
  return Buffer.from(source, 'utf8');
}

function printOptions(params: QueryParams | undefined): PrintOptions {
  if (params === undefined || params === NO_PARAMS) return PLAIN_PRINT;
  const filter = params.list('filter_path');
  return {
    pretty: flag(params, 'pretty'),
    filter: filter === undefined ? undefined : parseFilterPath(filter),
  };
}

function flag(params: QueryParams | undefined, name: string): boolean {
  return params?.has(name) === true && params.string(name) !== 'false';
}

function failure(thrown: unknown, params: QueryParams | undefined, exchange: WireExchange): Reply {
  const error = asEngineError(thrown);
  if (error !== thrown && !isGone(thrown)) exchange.report(thrown);
  return {
    isError: true,
    status: error.status,
    body: errorBody(error, flag(params, 'error_trace')),
  };
}

/** True if the client closed the connection in the middle of its body: there is no defect to report. */
function isGone(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as NodeJS.ErrnoException).code === 'ECONNRESET';
}

function notFound(method: string, uri: string, allowed: readonly string[]): Reply {
  if (allowed.length === 0) {
    return { status: 400, body: { error: `no handler found for uri [${uri}] and method [${method}]` } };
  }
  const headers = { Allow: allowed.join(',') };
  if (method === 'OPTIONS') return { status: 200, text: '', headers };
  const error = `Incorrect HTTP method for uri [${uri}] and method [${method}], allowed: [${allowed.join(', ')}]`;
  return { status: 405, headers, body: { error, status: 405 } };
}

function unsupportedType(contentType: string | undefined): Reply {
  refuseForeignBody(contentType);
  return {
    status: 406,
    body: { error: `Content-Type header [${contentType ?? ''}] is not supported`, status: 406 },
  };
}
