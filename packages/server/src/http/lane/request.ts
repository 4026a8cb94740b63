// A request that a lane has read, and the sink of its answer.

import type { Incoming } from '../exchange.ts';

/** The head of a request. */
export interface Head extends Incoming {
  readonly method: string;
  /** Path and query string, as sent. */
  readonly target: string;
}

/** A whole request that nobody could read in two ways. */
export interface PlainRequest extends Head {
  /** As it came; empty where there is none. */
  readonly body: Buffer;
  /** When it began to come, in ms of performance.now(). */
  readonly startedAt: number;
}

/** The client of a lane, which waits for an answer. */
export interface ResponseSink {
  /**
   * Answers. Headers are names and values in turn, without date, length and connection. Throws where a value cannot be carried; then
   * nothing has been answered. Returns the time of the answer, in ms of performance.now().
   */
  answer(status: number, headers: readonly string[], body: string | Uint8Array): number;
  /** True once the client has closed the connection. */
  readonly isGone: boolean;
  /** Calls the listener when the client closes the connection. Returns how to stop. */
  onGone(listener: () => void): () => void;
}

/** Answers the requests of lanes. */
export interface RequestHandler {
  /** True where the lane should wait for a body of so many bytes; false leaves the request to `node:http`. */
  acceptsBody(head: Head, bodyBytes: number): boolean;
  /** True where the sink has its answer or will have it; false leaves the request to `node:http`, and nothing was done. */
  handle(request: PlainRequest, sink: ResponseSink): boolean;
}
