// Handles the requests of lanes: checks access, then calls the search wire. Fastify gets
//
// - requests for `/api`, the console, or another base path
// - requests of web pages (`Origin`)
// - requests with a body beyond the limit
// - every request once the server closes
// - on a reading thread: requests that the writing thread answers, or that only it can admit

import { type Admission, isApiPath, refusalReply } from '../../access/admission.ts';
import type { Incoming } from '../../http/exchange.ts';
import type { Head, PlainRequest, RequestHandler, ResponseSink } from '../../http/lane/request.ts';
import { aliasedUrl, innerUrl, normalizePath } from '../../http/request-target.ts';
import { chain, type MaybePromise } from '../../sync-first.ts';
import { LaneExchange, type LaneServices } from './lane-exchange.ts';
import type { Wire } from './wire.ts';

/** What the handler of lanes uses. */
interface LaneOptions extends LaneServices {
  readonly wire: Wire;
  readonly bodyBytes: number;
  /** Headers of every answer: names and values in turn. */
  readonly presetHeaders: readonly string[];
  /** Applies the access rules; undefined if only the writing thread can apply them. */
  readonly admit: (request: Incoming & { readonly url: string }) => MaybePromise<Admission> | undefined;
}

/** The handler of the lanes of a server. */
export class LaneHandler implements RequestHandler {
  readonly #options: LaneOptions;
  #isClosing = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** From now on Fastify answers every request, and asks clients to close their connections. */
  close(): void {
    this.#isClosing = true;
  }

  acceptsBody(head: Head, bodyBytes: number): boolean {
    return this.#urlOf(head, bodyBytes) !== undefined;
  }

  handle(request: PlainRequest, sink: ResponseSink): boolean {
    const url = this.#urlOf(request, request.body.length);
    if (url === undefined) return false;
    const { headers, socket } = request;
    const admission = this.#options.admit({ headers, socket, url });
    if (admission === undefined) return false;
    const exchange = new LaneExchange(request, url, sink, this.#options);
    void chain(admission, (admission) => this.#enter(exchange, admission));
    return true;
  }

  /** Path and query string of a request that a lane answers; undefined for all others. */
  #urlOf({ method, target, headers }: Head, bodyBytes: number): string | undefined {
    const { basePath, bodyBytes: most, relay } = this.#options;
    if (this.#isClosing || headers.origin !== undefined || bodyBytes > most) return undefined;
    const path = normalizePath(target);
    const url = basePath === '' ? path : innerUrl(path, basePath);
    if (url === undefined || isApiPath(aliasedUrl(method, url, headers.accept))) return undefined;
    return relay === undefined || relay.isOwn(method, url) ? url : undefined;
  }

  #enter(exchange: LaneExchange, { principal, refusal, headers }: Admission): MaybePromise<void> {
    exchange.principal = principal;
    const { presetHeaders } = this.#options;
    exchange.presetHeaders =
      headers === undefined ? presetHeaders : [...presetHeaders, ...Object.entries(headers).flat()];
    if (refusal === undefined) return this.#options.wire.answer(exchange);
    const reply = refusalReply(refusal);
    const own = Object.entries(reply.headers).flat();
    exchange.send(reply.status, [...exchange.presetHeaders, ...own], JSON.stringify(reply.body));
    return undefined;
  }
}
