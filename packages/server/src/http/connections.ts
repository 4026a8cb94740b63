// The connections of a server, and what each client may hold:
// - connections beyond the limit are refused with 503, and closed as they come if there are many of them,
// - requests that a client pipelines are answered one after the other,
// - a client that does not read its answer is cut,
// - a server that closes waits for answers that are due, and for nothing else.

import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Limits } from '../limits.ts';
import { isLingering, lingerAtEnd } from './linger.ts';
import { type PendingAnswers, refuseExcess } from './refuse-connection.ts';

/** Connections that are open now, that were ever accepted, and that were refused because there were too many. */
interface ConnectionCounts {
  readonly open: number;
  readonly opened: number;
  readonly dropped: number;
}

/** So many connections beyond the limit are answered at a time; others are closed as they come. */
const REFUSED_AT_ONCE = 64;

/** How often a server that closes looks for connections whose answer has left. */
const IDLE_LOOK_MS = 50;

/**
 * While a server closes, a client that sends less than so many bytes of a request in so long is cut: its
 * request has not begun.
 */
const STALLED_MS = 1_000;
const STALLED_BYTES = 1_024;

/** How much of a request has come, or of an answer is left, and when that was last noted. */
interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** The connections of one server. */
export class Connections implements PendingAnswers {
  readonly #limits: Limits;
  /** The newest answer of each connection. */
  readonly #last = new WeakMap<Socket, ServerResponse>();
  /** The answer that an answer waits for. */
  readonly #before = new WeakMap<ServerResponse, ServerResponse>();
  /** Connections that are refused as soon as their answers have left. */
  readonly #refused = new WeakSet<Socket>();
  /** Requests that wait for the answers before theirs. */
  readonly #waiting = new WeakMap<Socket, Set<() => void>>();
  readonly #sockets = new Set<Socket>();
  /** While the server closes: connections whose requests are still arriving. */
  readonly #arriving = new WeakMap<Socket, Progress>();
  /** While the server closes: the bytes that wait for each client, and since when they are as many. */
  readonly #unread = new WeakMap<Socket, Progress>();
  /** Connections that have not sent a request yet. */
  readonly #silent = new Set<Socket>();
  /** Over TLS: connections before the end of their handshake, by their peer. */
  readonly #handshakes = new Map<string, Socket>();
  /** Connections that a lane answers. The lane ends them when the server closes. */
  readonly #lanes = new WeakSet<Socket>();
  #most: number;
  #server: Server | undefined;
  #opened = 0;
  #dropped = 0;
  #closing = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#most = limits.connections;
  }

  /** Lowers the limit: other threads take the rest. */
  limitTo(most: number): void {
    this.#most = most;
    if (this.#server !== undefined) this.#server.maxConnections = most + REFUSED_AT_ONCE;
  }

  get counts(): ConnectionCounts {
    return { open: this.#sockets.size, opened: this.#opened, dropped: this.#dropped };
  }

  /**
   * Takes the new connections of a server: limits and counts them before its own listeners, or a lane, get them.
   */
  watch(server: Server): void {
    this.#server = server;
    this.limitTo(this.#most);
    server.on('drop', () => this.#dropped++);
    this.#spareUnsent(server);
    // Over TLS, requests know the inner socket, which exists only after the handshake.
    const isTls = server instanceof TlsServer;
    if (isTls) server.on('connection', (socket: Socket) => this.#noteHandshake(socket));
    const event = isTls ? 'secureConnection' : 'connection';
    const listeners = server.listeners(event) as ((socket: Socket) => void)[];
    server.removeAllListeners(event);
    server.on(event, (socket: Socket) => {
      this.#handshakes.delete(peerOf(socket));
      if (this.#sockets.size >= this.#most) {
        this.#dropped++;
        refuseExcess(socket);
        return;
      }
      for (const listener of listeners) listener.call(server, socket);
      this.#sockets.add(socket);
      this.#opened++;
      if (this.#closing) socket.destroy();
      this.#silent.add(socket);
      lingerAtEnd(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#silent.delete(socket);
        // Node gives answers that wait no socket yet, and does not tell them that it has closed.
        for (const go of this.#waiting.get(socket) ?? []) go();
      });
    });
  }

  /**
   * Node counts a connection as idle once its answer is written, though most of the answer may still be unsent, and would destroy
   * it, also in `close()`. Such connections are spared here and looked at again; a client that does not read is cut as always. A
   * lingering connection ends by itself.
   */
  #spareUnsent(server: Server): void {
    const closeIdle = server.closeIdleConnections;
    server.closeIdleConnections = () => {
      const unsent = [...this.#sockets].filter((each) => each.writableLength > 0 || isLingering(each));
      for (const socket of unsent) socket.destroy = () => socket;
      closeIdle.call(server);
      for (const socket of unsent) Reflect.deleteProperty(socket, 'destroy');
    };
  }

  #noteHandshake(socket: Socket): void {
    if (this.#closing) socket.destroy();
    const place = peerOf(socket);
    this.#handshakes.set(place, socket);
    socket.once('close', () => {
      if (this.#handshakes.get(place) === socket) this.#handshakes.delete(place);
    });
  }

  /** From now on a lane answers a connection. */
  addLane(socket: Socket): void {
    this.#lanes.add(socket);
  }

  /** From now on node:http answers a connection. */
  removeLane(socket: Socket): void {
    this.#lanes.delete(socket);
  }

  /** A connection has sent a request that its lane handles. */
  noteRequest(socket: Socket): void {
    this.#silent.delete(socket);
  }

  /**
   * The server closes. Node alone would wait for connections that browsers open in advance, which it counts as busy until their
   * first request, and for connections whose last answer left after `close()`; these are ended here. From now on new connections are
   * closed as they come.
   */
  close(server: Server): void {
    this.#closing = true;
    afterPendingReads(() => {
      for (const socket of [...this.#silent, ...this.#handshakes.values()]) socket.destroy();
    });
    // A server of injected requests does not listen, and never emits 'close'.
    if (!server.listening) return;
    const latest = performance.now() + this.#limits.requestTimeoutMs;
    const again = setInterval(() => {
      server.closeIdleConnections();
      this.#cutStalled(performance.now(), latest);
      this.#cutUnread(performance.now());
    }, IDLE_LOOK_MS);
    server.once('close', () => clearInterval(again));
  }

  /** Node checks timeouts no longer once it closes. Requests that have arrived are answered first. */
  #cutStalled(now: number, latest: number): void {
    for (const socket of this.#sockets) {
      if (this.#lanes.has(socket) || this.#isDue(socket)) {
        this.#arriving.delete(socket);
        continue;
      }
      const { bytesRead: bytes } = socket;
      const progress = this.#arriving.get(socket);
      if (now >= latest) socket.destroy();
      else if (progress === undefined || bytes - progress.bytes >= STALLED_BYTES)
        this.#arriving.set(socket, { bytes, since: now });
      else if (now - progress.since >= STALLED_MS) socket.destroy();
    }
  }

  /**
   * The timeout of a socket looks at progress only when it fires, so a client that stops reading would have up to twice the limit.
   * While the server closes, the bytes that wait for the client are looked at all along.
   */
  #cutUnread(now: number): void {
    for (const socket of this.#sockets) {
      const bytes = unsentBytes(socket);
      const before = this.#unread.get(socket);
      if (bytes === 0 || bytes !== before?.bytes) this.#unread.set(socket, { bytes, since: now });
      else if (now - before.since >= this.#limits.writeIdleTimeoutMs) socket.destroy();
    }
  }

  /** True where the answer to a whole request is not sent yet. Requests behind it may still wait in the socket. */
  #isDue(socket: Socket): boolean {
    const last = this.#last.get(socket);
    if (last === undefined || isSent(last)) return socket.writableLength > 0;
    return last.req.complete || !isSent(this.#before.get(last));
  }

  /**
   * Waits until the answer before this one has left. Node hands over all requests of a packet at once and sends their
   * answers in order: without waiting, the answers to a thousand pipelined searches of 60 bytes would pile up in memory. Undefined
   * where there is nothing to wait for. Resolves to false if the client has closed the connection.
   */
  waitForTurn(socket: Socket, response: ServerResponse): Promise<boolean> | undefined {
    this.#silent.delete(socket);
    const before = this.#last.get(socket);
    if (before === response) return undefined;
    this.#last.set(socket, response);
    if (before === undefined || isSent(before)) return undefined;
    this.#before.set(response, before);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(socket) ?? new Set();
      this.#waiting.set(socket, waiting);
      const go = (): void => {
        waiting.delete(go);
        // A connection that lingers is not destroyed, but takes no more requests.
        resolve(!socket.destroyed && !socket.writableEnded);
      };
      waiting.add(go);
      before.once('finish', go);
    });
  }

  pendingAnswer(socket: Socket): ServerResponse | 'begun' | undefined {
    const last = this.#last.get(socket);
    if (last === undefined || isSent(last)) return undefined;
    if (last.req.complete) return last;
    if (last.headersSent) return 'begun';
    const before = this.#before.get(last);
    return isSent(before) ? undefined : before;
  }

  markRefused(socket: Socket): boolean {
    if (this.#refused.has(socket)) return false;
    this.#refused.add(socket);
    return true;
  }

  /**
   * Limits how long the client may pause reading from here on: a socket with unsent bytes is cut if none of them leave in that time.
   * Most answers are sent when they have been written, and need no timer.
   */
  limitReadPauses(response: ServerResponse): void {
    // Injected requests have no socket.
    if (!(response.socket instanceof Socket)) return;
    if (response.writableEnded && response.socket.writableLength === 0) return;
    response.setTimeout(this.#limits.writeIdleTimeoutMs, () => {
      const { socket } = response;
      if (socket !== null && (socket.writableLength > 0 || response.writableLength > 0)) socket.destroy();
    });
  }
}

/** Bytes that the system has not taken: those of the stream, and those that a write has left to the event loop. */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly writeQueueSize?: number } | null;
  };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** True where an answer has left or will never leave; true for none. */
function isSent(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Address and port of the client, the same for the inner and the outer socket of a TLS connection. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Calls `then` once the event loop has read what lies in the system's sockets by now. A server that closes still answers those
 * requests: their senders could not know otherwise whether they were carried out.
 */
export function afterPendingReads(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
