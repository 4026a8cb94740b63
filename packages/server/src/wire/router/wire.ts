// The steps around every endpoint of the search wire. Before it: read the parameters, find the route, read the
// body, and guard the engine for the caller. After it: turn errors into the peer's bodies, and send
// (`reply-sender.ts`).

import { EngineError, NeedsWriterThread } from '@octavo/engine';
import type { Principal } from '../../access/callers/principal.ts';
import { guardEngine, withVisibleCounts } from '../../access/guard/guarded-engine.ts';
import { LeaseQuota } from '../../access/limits/lease-quota.ts';
import { asEngineError, errorBody } from '../../errors/error-body.ts';
import { withoutByteOrderMark } from '../../http/body-reader.ts';
import { chain, finish, type MaybePromise, rescue } from '../../sync-first.ts';
import { acceptsBody, refuseForeignBody, refuseForeignFormat } from './media-types.ts';
import { isFlagSet, type QueryParams, refusePreference } from './query-params.ts';
import { ReplySender } from './reply-sender.ts';
import { type Call, callEndpoint, type Reply, type Route, type Services } from './route.ts';
import { RouteTable } from './route-table.ts';
import { sourceParam, WireCall } from './wire-call.ts';
import type { WireExchange } from './wire-exchange.ts';

/** Endpoints that show numbers of documents. A caller with a document filter gets numbers of its own documents. */
const SHOWS_FIGURES = /\/_(?:cat|stats|nodes|cluster|segments|recovery|shard_stores)\b/;

/** The search wire over one table of routes. */
export class Wire {
  readonly #table: RouteTable;
  readonly #services: Services;
  readonly #guarded = new WeakMap<Principal, Services>();
  readonly #quota: LeaseQuota;
  readonly #sender: ReplySender;

  constructor(routes: readonly Route[], services: Services) {
    this.#table = new RouteTable(routes);
    this.#services = services;
    this.#quota = new LeaseQuota(services.limits.leasesPerKey);
    this.#sender = new ReplySender(services);
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
      () => this.#sender.send(exchange, reply, params),
      (thrown) => {
        if (exchange.isAnswered) return undefined;
        // The first items of a list are made while it is sent.
        if (thrown instanceof NeedsWriterThread && exchange.relay?.() === true) return undefined;
        // For example a header that HTTP cannot carry: every request gets an answer.
        return this.#sender.send(exchange, failure(thrown, params, exchange), params, false);
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
}

function failure(thrown: unknown, params: QueryParams | undefined, exchange: WireExchange): Reply {
  const error = asEngineError(thrown);
  if (error !== thrown && !isTruncatedBody(thrown)) exchange.report(thrown);
  return {
    isError: true,
    status: error.status,
    body: errorBody(error, isFlagSet(params, 'error_trace')),
  };
}

/** True if the client closed the connection in the middle of its body: there is no defect to report. */
function isTruncatedBody(thrown: unknown): boolean {
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
