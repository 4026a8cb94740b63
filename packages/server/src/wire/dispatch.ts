// What happens to a request before and after its endpoint? Path, parameters and body are read, the endpoint answers,
// errors become the peer's error bodies, `filter_path` and `pretty` are applied, headers are set.

import { Elsewhere, EngineError, type JsonObject, type JsonValue } from '@octavo/engine';
import { guardEngine, withFigures } from '../access/guard.ts';
import { ANONYMOUS, type Principal } from '../access/principal.ts';
import { LeaseQuota } from '../access/quotas.ts';
import { asEngineError, errorBody, SearchPhaseError } from '../errors/body.ts';
import { located } from '../errors/locate.ts';
import type { Asker, PlainRequest } from '../lane/request.ts';
import { TwoGenerations } from '../two-generations.ts';
import { EMPTY, withoutMark } from './body-reader.ts';
import { documentRoutes } from './documents.ts';
import { encoded, encodingFor, WORTH_ENCODING } from './encoding.ts';
import type { Exchange, LaneExchange } from './exchange.ts';
import { parseFilterPath } from './filter-path.ts';
import { parseBody, parseObjectBody } from './json-body.ts';
import { acceptsBody, answerType, refuseForeignBody, refuseForeignFormat } from './media.ts';
import { decodePercent, QueryParams } from './params.ts';
import { type Found, PathTree } from './path-tree.ts';
import { PlainAnswers } from './plain-answers.ts';
import { printReply } from './reply.ts';
import type { Call, Reply, ReplyValue, Route, Services } from './route.ts';
import { PagesAtOnce } from './search/at-once.ts';
import { SEARCH_PATH } from './search.ts';
import { WritesAtOnce } from './write-at-once.ts';

/** Endpoints that tell how many documents there are. */
const SHOWS_FIGURES = /\/_(?:cat|stats|nodes|cluster|segments|recovery|shard_stores)\b/;

/** The search wire over one table of routes. */
export class Wire {
  readonly #tree: PathTree;
  readonly #services: Services;
  readonly #guarded = new WeakMap<Principal, Services>();
  readonly #quota: LeaseQuota;
  /** Routes of endpoints that have been asked for, by method and path. */
  readonly #known = new TwoGenerations<string, Found>(MOST_KNOWN);
  /** Headers of every answer. */
  readonly #brand: readonly string[];
  readonly #pages: PagesAtOnce;
  /** Undefined where documents are written by other hands than ours. */
  readonly #writes: WritesAtOnce | undefined;

  constructor(routes: readonly Route[], services: Services) {
    this.#tree = new PathTree(routes);
    this.#services = services;
    this.#quota = new LeaseQuota(services.limits.leasesPerKey);
    this.#brand =
      services.options.compat === 'elasticsearch'
        ? ['x-elastic-product', 'Elasticsearch']
        : ['x-opensearch-version', 'OpenSearch/3.1.0 (opensearch)'];
    const answers = new PlainAnswers(this.#brand);
    this.#pages = new PagesAtOnce(answers);
    if (documentRoutes.every((route) => routes.includes(route))) this.#writes = new WritesAtOnce(answers);
  }

  /** Answers a plain page in this turn; undefined where nothing was done, else its route. */
  answerAtOnce(request: PlainRequest, principal: Principal, asker: Asker): string | undefined {
    const services = this.#servicesNow(principal);
    return services !== undefined && this.#pages.take(request, services, asker) ? SEARCH_PATH : undefined;
  }

  /** Writes a plain document, and answers the exchange of the request; false where nothing was done. */
  writeAtOnce(request: PlainRequest, principal: Principal, exchange: LaneExchange): boolean {
    const services = this.#servicesNow(principal);
    if (this.#writes === undefined || services === undefined) return false;
    return this.#writes.take(request, services, exchange, (thrown) => {
      void this.#answerWith(exchange, failure(thrown, undefined, exchange), undefined);
    });
  }

  #servicesNow(principal: Principal): Services | undefined {
    return principal === ANONYMOUS ? this.#services : this.#guarded.get(principal);
  }

  /** The endpoint that a request is for, if there is one. */
  routeOf(method: string, url: string): Route | undefined {
    const queryAt = url.indexOf('?');
    return this.#find(method, queryAt < 0 ? url : url.slice(0, queryAt)).route;
  }

  /** Answers one request; never throws. */
  async answer(exchange: Exchange): Promise<void> {
    const { url } = exchange;
    const queryAt = url.indexOf('?');
    const uri = queryAt < 0 ? url : url.slice(0, queryAt);
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
    let params: QueryParams | undefined;
    let answer: Reply;
    try {
      params = new QueryParams(query);
      answer = await this.#handle(exchange, uri, query, params);
    } catch (thrown) {
      if (thrown instanceof Elsewhere && exchange.passOn?.() === true) return;
      answer = failure(thrown, params, exchange);
    }
    await this.#answerWith(exchange, answer, params);
  }

  async #answerWith(exchange: Exchange, answer: Reply, params: QueryParams | undefined): Promise<void> {
    try {
      await this.#send(exchange, answer, params);
    } catch (thrown) {
      // A header that HTTP cannot carry, say: no request may be left without an answer.
      if (!exchange.isAnswered) await this.#send(exchange, failure(thrown, params, exchange), params, false);
    }
  }

  async #handle(exchange: Exchange, uri: string, query: string, params: QueryParams): Promise<Reply> {
    const { limits } = this.#services;
    if (exchange.url.length > limits.uriBytes) {
      throw new EngineError(
        'too_long_http_line_exception',
        `An HTTP line is larger than ${limits.uriBytes} bytes.`,
      );
    }
    const { method, headers } = exchange;
    const found = this.#find(method, uri);
    if (found.route === undefined) return notFound(method, uri, found.allowed);
    exchange.routeName = found.route.path;
    const contentType = headers['content-type'];
    const read = exchange.body(limits.bodyBytes, found.route.sharesBody && this.#writes !== undefined);
    const body = withoutMark(read instanceof Promise ? await read : read);
    if (body.length > 0 && !acceptsBody(contentType)) return unsupportedType(contentType);
    params.refuseUnknown(found.route.params, uri);
    refuseForeignFormat(params.string('format'), headers.accept);
    const call = new WireCall(
      exchange,
      uri,
      query,
      found.path,
      params,
      body.length > 0 ? body : sourceParam(params),
      limits.nesting,
    );
    const { principal } = exchange;
    try {
      const services =
        principal === ANONYMOUS ? this.#services : await this.#servicesOf(principal, found.route);
      return await found.route.handle(call, services);
    } catch (thrown) {
      throw call.located(thrown);
    } finally {
      call.done();
    }
  }

  /** The route of a path. Endpoints are asked for again and again, documents are not. */
  #find(method: string, uri: string): Found {
    const isEndpoint = uri.charCodeAt(uri.lastIndexOf('/') + 1) === UNDERSCORE;
    if (!isEndpoint || uri.length > 200) return this.#tree.find(method, segmentsOf(uri));
    const key = `${method} ${uri}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#tree.find(method, segmentsOf(uri));
    this.#known.set(key, found);
    return found;
  }

  /** The services as a caller has them: its engine shows and does only what it may. */
  async #servicesOf(principal: Principal | null, route: Route): Promise<Services> {
    if (principal === ANONYMOUS) return this.#services;
    // Only what never came through the door has none.
    if (principal === null)
      throw new EngineError('security_exception', 'the request was not authenticated', { status: 401 });
    let services = this.#guarded.get(principal);
    if (services === undefined) {
      const { engine } = this.#services;
      services = { ...this.#services, principal, engine: guardEngine(engine, principal, this.#quota) };
      this.#guarded.set(principal, services);
    }
    return principal.documentFilter !== undefined && SHOWS_FIGURES.test(route.path)
      ? { ...services, engine: await withFigures(services.engine) }
      : services;
  }

  #send(
    exchange: Exchange,
    answer: Reply,
    params: QueryParams | undefined,
    echo = true,
  ): Promise<void> | undefined {
    const { method, headers: asked, preset } = exchange;
    const status = answer.status ?? 200;
    const headers = preset.length === 0 ? [...this.#brand] : [...this.#brand, ...preset];
    const opaque = echo ? asked['x-opaque-id'] : undefined;
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
    // A body that was not read to its end would be taken for the next request.
    if (!exchange.isComplete && status >= 400) headers.push('connection', 'close');
    let body = EMPTY_BUFFER;
    if (answer.text !== undefined) {
      if (!typed) headers.push('content-type', 'text/plain; charset=UTF-8');
      body = Buffer.from(answer.text, 'utf8');
    } else {
      headers.push('content-type', answerType(asked.accept));
      if (answer.bytes !== undefined) body = answer.bytes;
      else if (answer.body !== undefined) body = print(answer.body, params);
    }
    if (body.length >= WORTH_ENCODING) headers.push('vary', 'accept-encoding');
    const encoding = encodingFor(method, asked, status, body.length);
    if (encoding === undefined) {
      exchange.send(status, headers, body, this.#services.connections);
      return undefined;
    }
    return encoded(body, encoding).then((bytes) => {
      headers.push('content-encoding', encoding);
      exchange.send(status, headers, bytes, this.#services.connections);
    });
  }
}

const EMPTY_BUFFER: Buffer = Buffer.alloc(0);
const UNDERSCORE = 95;
/** Of each of two generations. */
const MOST_KNOWN = 500;

/** One request as endpoints see it. */
class WireCall implements Call {
  readonly method: string;
  readonly uri: string;
  readonly queryString: string;
  readonly path: Readonly<Record<string, string>>;
  readonly params: QueryParams;
  readonly body: Uint8Array;
  readonly #exchange: Exchange;
  readonly #nesting: number;
  #parsed: JsonValue | undefined;
  #stop: (() => void) | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    exchange: Exchange,
    uri: string,
    queryString: string,
    path: Readonly<Record<string, string>>,
    params: QueryParams,
    body: Uint8Array,
    nesting: number,
  ) {
    this.#exchange = exchange;
    this.#nesting = nesting;
    this.method = exchange.method;
    this.uri = uri;
    this.queryString = queryString;
    this.path = path;
    this.params = params;
    this.body = body;
  }

  get headers(): Readonly<Record<string, string | string[] | undefined>> {
    return this.#exchange.headers;
  }

  get hasBody(): boolean {
    return this.body.length > 0;
  }

  json(): JsonValue | undefined {
    this.#parsed = parseBody(this.body, this.#nesting);
    return this.#parsed;
  }

  object(): JsonObject {
    const object = parseObjectBody(this.body, this.#nesting);
    this.#parsed = object;
    return object;
  }

  /** An error with its line and column in the body. */
  located(thrown: unknown): unknown {
    if (!(thrown instanceof EngineError) || thrown instanceof SearchPhaseError) return thrown;
    return located(thrown, this.#parsed, this.body);
  }

  get isGone(): boolean {
    return this.#exchange.isGone;
  }

  /** Made on first use: most requests are over before anybody could go away. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      this.#signal = controller.signal;
      if (this.isGone) controller.abort();
      else this.#stop = this.#exchange.onGone(() => controller.abort());
    }
    return this.#signal;
  }

  /** The endpoint has answered: the socket lives on, with other requests. */
  done(): void {
    this.#stop?.();
  }
}

/** The path in decoded segments; a trailing slash makes no difference. */
function segmentsOf(uri: string): string[] {
  const segments = uri.split('/').slice(1);
  while (segments.length > 0 && segments.at(-1) === '') segments.pop();
  return segments.map(decodePercent);
}

/** `?source=…&source_content_type=…`: a body for clients that cannot send one. */
function sourceParam(params: QueryParams): Uint8Array {
  const source = params.string('source');
  if (source === undefined) return EMPTY;
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

function print(body: ReplyValue, params: QueryParams | undefined): Buffer {
  const filter = params?.list('filter_path');
  return printReply(body, {
    pretty: flag(params, 'pretty'),
    filter: filter === undefined ? undefined : parseFilterPath(filter),
  });
}

function flag(params: QueryParams | undefined, name: string): boolean {
  return params?.has(name) === true && params.string(name) !== 'false';
}

function failure(thrown: unknown, params: QueryParams | undefined, exchange: Exchange): Reply {
  const error = asEngineError(thrown);
  if (error !== thrown && !isGone(thrown)) exchange.report(thrown);
  return {
    status: error.status,
    body: errorBody(error, flag(params, 'error_trace')),
  };
}

/** The client went away in the middle of its body: nobody is left to answer, and nothing is wrong here. */
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
