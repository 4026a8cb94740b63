// One request of a lane as the search wire sees it. On a reading thread it can be relayed to the writing thread.

import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../access/callers/principal.ts';
import { decodeBody } from '../../http/body-reader.ts';
import type { Incoming, PartialAnswer } from '../../http/exchange.ts';
import type { PlainRequest, ResponseSink } from '../../http/lane/request.ts';
import type { WireExchange } from './wire-exchange.ts';

/** A request that a reading thread relays to the writing thread. */
export interface RelayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
}

/** The answer of the writing thread. */
export interface RelayedAnswer {
  readonly status: number;
  /** Names and values in turn, without date, length and connection. */
  readonly headers: readonly string[];
  /** Parts of an answer whose length is not known. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What the requests of lanes use. */
export interface LaneServices {
  /** The prefix of all paths; empty if there is none. */
  readonly basePath: string;
  readonly mountOf: (request: Incoming) => string;
  /** Called for every answer. */
  readonly onAnswer: (exchange: WireExchange, status: number, milliseconds: number) => void;
  /** Logs a defect of ours. */
  readonly report: (thrown: unknown) => void;
  /** On a reading thread: which requests it answers itself, and the relay to the writing thread. */
  readonly relay?: {
    readonly isOwn: (method: string, url: string) => boolean;
    readonly send: (request: RelayedRequest, body: Uint8Array) => Promise<RelayedAnswer>;
  };
}

const NO_HEADERS: readonly string[] = [];

/** A request of a lane. */
export class LaneExchange implements WireExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Incoming['socket'];
  principal: Principal | null = null;
  presetHeaders: readonly string[] = NO_HEADERS;
  routeName = '';
  readonly isComplete = true;
  isAnswered = false;
  readonly #body: Uint8Array;
  readonly #sink: ResponseSink;
  readonly #options: LaneServices;
  readonly #began: number;

  constructor(request: PlainRequest, url: string, sink: ResponseSink, options: LaneServices) {
    this.method = request.method;
    this.url = url;
    this.headers = request.headers;
    this.socket = request.socket;
    this.#body = request.body;
    this.#sink = sink;
    this.#began = request.startedAt;
    this.#options = options;
  }

  body(limit: number): Uint8Array | Promise<Uint8Array> {
    return decodeBody(this.#body, this.headers['content-encoding'], limit);
  }

  get isGone(): boolean {
    return this.#sink.isGone;
  }

  get hasHungUp(): boolean {
    return this.#sink.hasHungUp;
  }

  onGone(listener: () => void): () => void {
    return this.#sink.onGone(listener);
  }

  send(status: number, headers: string[], body: Buffer | string, onSent?: () => void): void {
    const at = this.#sink.answer(status, headers, body, onSent);
    this.isAnswered = true;
    this.#options.onAnswer(this, status, at - this.#began);
  }

  begin(status: number, headers: string[]): PartialAnswer {
    const answer = this.#sink.begin(status, headers);
    this.isAnswered = true;
    const note = (): void => this.#options.onAnswer(this, status, performance.now() - this.#began);
    return {
      write: (bytes) => answer.write(bytes),
      end: () => {
        answer.end();
        note();
      },
      abort: () => {
        answer.abort();
        note();
      },
    };
  }

  get mount(): string {
    return this.#options.mountOf(this);
  }

  report(thrown: unknown): void {
    this.#options.report(thrown);
  }

  relay(): boolean {
    const { relay, basePath } = this.#options;
    if (relay === undefined) return false;
    const { method, headers, socket } = this;
    const request = { method, url: basePath + this.url, headers, address: socket.remoteAddress };
    this.isAnswered = true;
    void relay
      .send(request, this.#body)
      .catch(() => UNREACHABLE)
      .then((answer) => (this.#sink.isGone ? undefined : this.#passOn(answer)));
    return true;
  }

  /** Passes an answer on: at once if it has come whole, else part by part. */
  async #passOn({ status, headers, body }: RelayedAnswer): Promise<void> {
    if (body instanceof Uint8Array) {
      this.#sink.answer(status, headers, body);
      return;
    }
    const answer = this.#sink.begin(status, headers);
    try {
      for await (const part of body) {
        await answer.write(part);
        if (this.#sink.isGone) return;
      }
      answer.end();
    } catch {
      answer.abort();
    }
  }
}

/** The answer if the writing thread cannot be reached: it has ended, or no descriptor is free for a connection to it. */
export const UNREACHABLE: RelayedAnswer & { readonly body: Uint8Array } = {
  status: 503,
  headers: ['content-type', 'application/json; charset=UTF-8', 'retry-after', '1'],
  body: Buffer.from('{"error":"the server is closing or has too many connections; try again","status":503}'),
};
