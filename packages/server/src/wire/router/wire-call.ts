// A call of the search wire: its parameters, its body as JSON, and whether its client is still there.

import { EngineError, type JsonObject, type JsonValue } from '@octavo/engine';
import { SearchPhaseError } from '../../errors/error-body.ts';
import { locateError } from '../../errors/error-location.ts';
import { NO_BYTES } from '../../http/body-reader.ts';
import { type JsonLimits, parseBody, parseObjectBody } from '../../json/json-body.ts';
import { acceptsBody } from './media-types.ts';
import { NO_PARAMS, QueryParams } from './query-params.ts';
import type { Call } from './route.ts';
import type { WireExchange } from './wire-exchange.ts';

const NO_PATH: Call['path'] = {};

/** One request as endpoints see it. Path, parameters and body are set while it is read. */
export class WireCall implements Call {
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

  get hasHungUp(): boolean {
    return this.#exchange.hasHungUp;
  }

  /** Made on first use: most requests end before a client can abort them. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      this.#signal = controller.signal;
      if (this.hasHungUp) controller.abort();
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
export function sourceParam(params: QueryParams): Uint8Array {
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
