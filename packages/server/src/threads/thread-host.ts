// What the reading threads need of the server that they belong to.

import type { Authenticate } from '../access/admission.ts';
import type { Limits } from '../limits.ts';
import type { ServerOptions } from '../wire/router/route.ts';
import type { ReadingThreadAnswer } from './messages.ts';

/** The server as its reading threads see it: an instance decorates its Fastify instance. */
export interface ThreadHost {
  readonly limits: Limits;
  readonly nodeId: string;
  /** The bytes of answers in flight, which all threads count together. */
  readonly answerBytes: SharedArrayBuffer;
  readonly options: ServerOptions;
  /** True where each answer is logged. */
  readonly logs: boolean;
  readonly callers: { readonly authenticate: Authenticate; readonly watch: (watcher: () => void) => void };
  /**
   * True where every request has to be admitted by the writing thread: rates are counted there, web origins
   * checked there.
   */
  readonly hasRate: boolean;
  /** A reading thread has answered a request. */
  readonly onAnswer: (answer: ReadingThreadAnswer) => void;
  /** Limits the connections of the writing thread to its share. */
  readonly limitConnections: (most: number) => void;
  /** Sets the function that counts the open connections of reading threads. */
  readonly countConnections: (count: () => number) => void;
  /** Ends event streams, and at once those that begin later. */
  readonly endStreams: () => void;
  readonly report: (thrown: unknown) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly threadHost: ThreadHost;
  }
}
