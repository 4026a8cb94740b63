// The interface between lanes and the server: a plain request, where its answer goes, and the handler that
// answers it.

import type { Incoming, PartialAnswer } from '../exchange.ts';

/** The head of a request. */
export interface Head extends Incoming {
  readonly method: string;
  /** Path and query string, as sent. */
  readonly target: string;
}

/** A whole plain request: one that no two parsers read differently. */
export interface PlainRequest extends Head {
  /** The body as it came; empty where there is none. */
  readonly body: Buffer;
  /** When its first bytes came, in ms of performance.now(). */
  readonly startedAt: number;
}

/** Takes the answer to one request. */
export interface ResponseSink {
  /**
   * Sends the answer. Headers are names and values in turn, without date, length and connection. Throws where HTTP cannot carry a
   * value; then nothing was sent. Returns the time of the answer, in ms of performance.now(). `onSent` is called once the body has
   * left, or the client has gone.
   */
  answer(status: number, headers: readonly string[], body: string | Uint8Array, onSent?: () => void): number;
  /** Sends the head of an answer that leaves in parts. */
  begin(status: number, headers: readonly string[]): PartialAnswer;
  /** True once the client has closed the connection. */
  readonly isGone: boolean;
  /**
   * True once the client closed its sending side. The operating system does not tell whether it still reads, so the answer is sent
   * anyway.
   */
  readonly hasHungUp: boolean;
  /** Calls the listener when the client closes the connection. Returns how to stop. */
  onGone(listener: () => void): () => void;
}

/** Answers the requests of lanes. */
export interface RequestHandler {
  /** True if the lane should wait for a body of so many bytes; false leaves the request to `node:http`. */
  acceptsBody(head: Head, bodyBytes: number): boolean;
  /** True if the sink has its answer or will get it. False leaves the request to `node:http`; then nothing was done. */
  handle(request: PlainRequest, sink: ResponseSink): boolean;
}
