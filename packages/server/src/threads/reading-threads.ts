// Starts and ends the reading threads of a server. Beside the writing thread, each of them listens on the
// same port, and the system spreads connections over them (SO_REUSEPORT). If one dies, the others go on.

import type { AddressInfo } from 'node:net';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { attachReplica, type Engine } from '@octavo/engine';
import type { FastifyInstance } from 'fastify';
import type { SenderOptions } from '../access/callers/sender-resolver.ts';
import { noteCallerChange } from './caller-cache.ts';
import { type Inlet, openInlet } from './inlet.ts';
import type { HostMessage, ReadingThreadData, ThreadMessage } from './messages.ts';

/** Options of the command line for reading threads. */
interface ThreadsOptions {
  /** The number of reading threads. */
  readonly count: number;
  readonly trust: readonly string[];
  readonly senders: Omit<SenderOptions, 'trust'>;
  readonly unsafePublic: boolean;
  /** For each thread. */
  readonly memoryBytes: number | undefined;
  /** A thread has died. */
  readonly onDeath: (error: string) => void;
}

/** A thread that does not end by then is terminated. */
const LONGEST_END_MS = 30_000;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  open: number;
  readonly ended: Promise<unknown>;
}

/** Why a server has only one thread; undefined if it can have more. */
export function singleThreadReason(options: {
  readonly hasCluster: boolean;
  readonly hasTls: boolean;
  readonly sharesRecords: boolean;
}): string | undefined {
  if (process.platform !== 'linux') return 'this system does not spread connections over threads';
  if (options.hasCluster) return 'the documents are in a cluster';
  if (options.hasTls) return 'connections are encrypted';
  if (options.sharesRecords) return 'the records are shared with other servers';
  return undefined;
}

/** The reading threads of a server. */
export class ReadingThreads {
  readonly #threads = new Set<Thread>();
  readonly #inlet: Inlet;
  readonly #callers = new SharedArrayBuffer(4);
  readonly #endStreams: () => void;
  #closing = false;

  /**
   * Starts the threads; resolves when all of them listen. REQUIRES: the server listens, and its engine
   * publishes snapshots.
   */
  static async start(app: FastifyInstance, engine: Engine, options: ThreadsOptions): Promise<ReadingThreads> {
    const inlet = await openInlet(app.server, app.threadHost.limits.headerBytes);
    const threads = new ReadingThreads(app, inlet);
    try {
      await Promise.all(Array.from({ length: options.count }, () => threads.#start(app, engine, options)));
      return threads;
    } catch (error) {
      await threads.close();
      throw error;
    }
  }

  private constructor(app: FastifyInstance, inlet: Inlet) {
    this.#inlet = inlet;
    const { callers, countConnections, endStreams } = app.threadHost;
    this.#endStreams = endStreams;
    callers.watch(() => noteCallerChange(this.#callers));
    countConnections(() => [...this.#threads].reduce((sum, { open }) => sum + open, 0));
  }

  /** Ends the threads after the answers that are due. */
  async close(): Promise<void> {
    this.#closing = true;
    // A thread waits for the requests that it has relayed, and the server closes only after the threads.
    this.#endStreams();
    await Promise.all(
      [...this.#threads].map(async ({ worker, port, ended }) => {
        port.postMessage({ kind: 'close' } satisfies HostMessage);
        const cut = setTimeout(() => void worker.terminate(), LONGEST_END_MS);
        await ended;
        clearTimeout(cut);
      }),
    );
    await this.#inlet.close();
  }

  #start(app: FastifyInstance, engine: Engine, options: ThreadsOptions): Promise<void> {
    const { threadHost } = app;
    const { address, port: number } = app.server.address() as AddressInfo;
    const { port1: port, port2 } = new MessageChannel();
    const loan = attachReplica(engine);
    const share = Math.max(1, Math.floor(threadHost.limits.connections / (options.count + 1)));
    threadHost.limitConnections(share);
    const workerData: ReadingThreadData = {
      ...{ port: port2, loan, callers: this.#callers, place: { host: address, port: number } },
      inlet: { path: this.#inlet.path, secret: this.#inlet.secret },
      options: threadHost.options,
      limits: { ...threadHost.limits, connections: share },
      nodeId: threadHost.nodeId,
      answerBytes: threadHost.answerBytes,
      logs: threadHost.logs,
      trust: options.trust,
      senders: options.senders,
      unsafePublic: options.unsafePublic,
      memoryBytes: options.memoryBytes,
    };
    const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      name: 'octavo reading',
      workerData,
      transferList: [port2, loan.port],
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const thread: Thread = { worker, port, open: 0, ended };
    this.#threads.add(thread);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let cause = 'it ended';
    worker.once('error', (error) => {
      cause = error instanceof Error ? String(error.stack) : String(error);
      reject(error);
    });
    worker.once('exit', () => {
      this.#threads.delete(thread);
      port.close();
      reject(new Error(`a reading thread has not begun: ${cause}`));
      if (!this.#closing) options.onDeath(cause);
    });
    port.on('message', (message: ThreadMessage) => {
      switch (message.kind) {
        case 'listens':
          return resolve();
        case 'failed':
          return reject(systemError(message.error));
        case 'answered':
          thread.open = message.open;
          for (const request of message.requests) threadHost.onAnswer(request);
          return undefined;
        case 'defect':
          return threadHost.report(new Error(message.error));
        case 'identify':
          return void this.#sendCaller(app, port, message.authorization);
      }
    });
    return promise;
  }

  /** Sends the caller of an Authorization header; none if this thread has to answer its requests itself. */
  async #sendCaller(
    app: FastifyInstance,
    port: MessagePort,
    authorization: string | undefined,
  ): Promise<void> {
    const change = Atomics.load(new Int32Array(this.#callers), 0);
    const { callers, hasRate } = app.threadHost;
    let principal: Awaited<ReturnType<typeof callers.authenticate>> | undefined;
    try {
      const headers = authorization === undefined ? {} : { authorization };
      principal = hasRate ? undefined : await callers.authenticate({ headers }, false);
    } catch {
      principal = undefined;
    }
    port.postMessage({ kind: 'caller', authorization, principal, change } satisfies HostMessage);
  }
}

/** An error of another thread, with its system code. */
function systemError({
  message,
  code,
}: {
  readonly message: string;
  readonly code: string | undefined;
}): Error {
  const error: NodeJS.ErrnoException = new Error(message);
  if (code !== undefined) error.code = code;
  return error;
}
