// The interface of one HTTP request and its answer, and its implementation over `node:http`. Lanes have
// their own (wire/router/lane-exchange.ts).

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { readBody } from './body-reader.ts';
import type { Connections } from './connections.ts';

/** The part of a request that identifies its sender. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** One request on its way. */
export interface Exchange extends Incoming {
  readonly method: string;
  /** Path and query string, below the base path. */
  readonly url: string;
  /**
   * The decompressed body; a promise only if it has not arrived. Throws if it is invalid, and 413 beyond `limit` bytes.
   */
  body(limit: number): Uint8Array | Promise<Uint8Array>;
  /** False while a part of the body has not been read. */
  readonly isComplete: boolean;
  /** True once the client has closed the connection. */
  readonly isGone: boolean;
  /** True once the client has ended its side. Most probably it has left: long reads for it are given up. */
  readonly hasHungUp: boolean;
  /** Calls the listener when the client closes the connection. Returns how to stop. */
  onGone(listener: () => void): () => void;
  /** True once an answer has begun to leave. */
  readonly isAnswered: boolean;
  /**
   * Sends the answer. Headers are names and values in turn, without the length. Throws for values that HTTP
   * cannot carry. `onSent` is called once the body has left, or the client has gone.
   */
  send(status: number, headers: string[], body: Buffer | string, onSent?: () => void): void;
  /** Sends the head of an answer that leaves in parts. */
  begin(status: number, headers: string[]): PartialAnswer;
}

/** An answer that is sent in parts, without a length in its head. */
export interface PartialAnswer {
  /**
   * Sends bytes. Returns a promise if the client should read before more is sent. It resolves also when the
   * client closes the connection.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** The answer is whole. */
  end(): void;
  /** Ends the connection: so the client sees that the answer is incomplete. */
  abort(): void;
}

/** Calls the listener when an answer was sent or its client has closed the connection; at once if that was before. */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed || response.closed) listener();
  else response.once('close', listener);
}

/** Resolves when a stream takes bytes again, or has closed. */
export function untilWritable(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      stream.removeListener('drain', go);
      stream.removeListener('close', go);
      resolve();
    };
    stream.once('drain', go);
    stream.once('close', go);
  });
}

/** A request over `node:http`. */
export class NodeExchange implements Exchange {
  readonly url: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connections: Connections;

  constructor(request: IncomingMessage, response: ServerResponse, connections: Connections) {
    this.url = request.url ?? '/';
    this.#request = request;
    this.#response = response;
    this.#connections = connections;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  body(limit: number): Uint8Array | Promise<Uint8Array> {
    return readBody(this.#request, limit);
  }

  get socket(): Incoming['socket'] {
    return this.#request.socket;
  }

  get isComplete(): boolean {
    return this.#request.complete;
  }

  get isGone(): boolean {
    return this.#request.socket?.destroyed === true;
  }

  /** `node:http` closes a connection whose client has ended its side. */
  get hasHungUp(): boolean {
    return this.isGone;
  }

  onGone(listener: () => void): () => void {
    const { socket } = this.#request;
    socket?.once('close', listener);
    return () => void socket?.removeListener('close', listener);
  }

  get isAnswered(): boolean {
    return this.#response.headersSent;
  }

  send(status: number, headers: string[], body: Buffer | string, onSent?: () => void): void {
    headers.push('content-length', String(Buffer.byteLength(body)));
    this.#response.writeHead(status, headers);
    this.#response.end(body);
    this.#connections.limitReadPauses(this.#response);
    if (onSent !== undefined) onceClosed(this.#response, onSent);
  }

  begin(status: number, headers: string[]): PartialAnswer {
    const response = this.#response;
    response.writeHead(status, headers);
    this.#connections.limitReadPauses(response);
    return {
      write: (bytes) => (response.write(bytes) || response.destroyed ? undefined : untilWritable(response)),
      end: () => response.end(),
      abort: () => response.destroy(),
    };
  }
}
