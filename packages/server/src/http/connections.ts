// How many clients may be connected, and what may one of them hold? Connections beyond the limit are closed as they
// come; requests that a client sends without waiting take turns; who does not read its answer is cut.

import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Limits } from '../limits.ts';
import { isLingering, lingerAtEnd } from './linger.ts';

/** What is shown of connections: open now, taken ever, refused because there were too many. */
export interface ConnectionCounts {
  readonly open: number;
  readonly opened: number;
  readonly dropped: number;
}

/** While a server closes, connections whose answer has left are looked for so often. */
const IDLE_LOOK_MS = 50;

/** Who sends less than so much of its request in so long while a server closes is waited for no longer: nothing of it is done yet. */
const STALLED_MS = 1_000;
const STALLED_BYTES = 1_024;

/** How much of a request had come, and since when it is hardly more. */
interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** The connections of one server. */
export class Connections {
  readonly #limits: Limits;
  readonly #last = new WeakMap<Socket, ServerResponse>();
  /** What waits for what, while it waits. */
  readonly #before = new WeakMap<ServerResponse, ServerResponse>();
  /** Connections that are refused as soon as their answers have left. */
  readonly #refused = new WeakSet<Socket>();
  /** Requests that wait for the answers before theirs. */
  readonly #waiting = new WeakMap<Socket, Set<() => void>>();
  readonly #sockets = new Set<Socket>();
  /** Of connections whose requests were still coming when the server was told to close. */
  readonly #coming = new WeakMap<Socket, Progress>();
  /** Connections that have asked nothing yet. */
  readonly #silent = new Set<Socket>();
  /** Over TLS: those that have shaken no hands yet, by where they come from. */
  readonly #shaking = new Map<string, Socket>();
  /** Those that a lane answers, and ends when its server closes. */
  readonly #lanes = new WeakSet<Socket>();
  #opened = 0;
  #dropped = 0;
  #closing = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get counts(): ConnectionCounts {
    return { open: this.#sockets.size, opened: this.#opened, dropped: this.#dropped };
  }

  /** Sets the limit of a server and counts. The kernel has accepted a connection that is dropped: it is closed at once. */
  watch(server: Server): void {
    server.maxConnections = this.#limits.connections;
    server.on('drop', () => this.#dropped++);
    this.#spareLeaving(server);
    // Over TLS, requests know the inner socket; before the handshake is over there is nothing to count.
    const isTls = server instanceof TlsServer;
    if (isTls) server.on('connection', (socket: Socket) => this.#shake(socket));
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#shaking.delete(peerOf(socket));
      this.#sockets.add(socket);
      this.#opened++;
      if (this.#closing) socket.destroy();
      this.#silent.add(socket);
      lingerAtEnd(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#silent.delete(socket);
        // Answers that wait have no socket yet, and are not told that it is gone.
        for (const go of this.#waiting.get(socket) ?? []) go();
      });
    });
  }

  /**
   * Node takes a connection for idle once its answer is written, though most of it may still wait to leave, and would destroy
   * it, also in `close()`. It is looked at again until that has left; who does not read it is cut as ever. One that lingers
   * ends by itself.
   */
  #spareLeaving(server: Server): void {
    const closeIdle = server.closeIdleConnections;
    server.closeIdleConnections = () => {
      const leaving = [...this.#sockets].filter((each) => each.writableLength > 0 || isLingering(each));
      for (const socket of leaving) socket.destroy = () => socket;
      closeIdle.call(server);
      for (const socket of leaving) Reflect.deleteProperty(socket, 'destroy');
    };
  }

  #shake(socket: Socket): void {
    if (this.#closing) socket.destroy();
    const place = peerOf(socket);
    this.#shaking.set(place, socket);
    socket.once('close', () => {
      if (this.#shaking.get(place) === socket) this.#shaking.delete(place);
    });
  }

  /** A lane answers a connection from here on. */
  addLane(socket: Socket): void {
    this.#lanes.add(socket);
  }

  /** It does no longer: node:http does. */
  removeLane(socket: Socket): void {
    this.#lanes.delete(socket);
  }

  /** True where no answer of a connection waits to leave: the next request need not take turns. */
  isFirst(socket: Socket): boolean {
    return isSent(this.#last.get(socket));
  }

  /** A connection has asked for something, and its server knows that it is at work. */
  noteRequest(socket: Socket): void {
    this.#silent.delete(socket);
  }

  /**
   * The server closes: nobody is to hold it up who has nothing to come. Node waits for connections that browsers open in
   * advance, which it takes for busy until their first request has come, and for those whose last answer left after it was told
   * to close. From here on new ones are closed as they come.
   */
  close(server: Server): void {
    this.#closing = true;
    afterPendingReads(() => {
      for (const socket of [...this.#silent, ...this.#shaking.values()]) socket.destroy();
    });
    // One that only tests ask has none, and never says that it is closed.
    if (!server.listening) return;
    const latest = performance.now() + this.#limits.requestTimeoutMs;
    const again = setInterval(() => {
      server.closeIdleConnections();
      this.#cutStalled(performance.now(), latest);
    }, IDLE_LOOK_MS);
    server.once('close', () => clearInterval(again));
  }

  /** Node no longer looks for those either, once it was told to close. Whoever has asked for something is answered first. */
  #cutStalled(now: number, latest: number): void {
    for (const socket of this.#sockets) {
      if (this.#lanes.has(socket) || this.#isDue(socket)) {
        this.#coming.delete(socket);
        continue;
      }
      const { bytesRead: bytes } = socket;
      const progress = this.#coming.get(socket);
      if (now >= latest) socket.destroy();
      else if (progress === undefined || bytes - progress.bytes >= STALLED_BYTES)
        this.#coming.set(socket, { bytes, since: now });
      else if (now - progress.since >= STALLED_MS) socket.destroy();
    }
  }

  /** Whether an answer to a whole request is under way. What is to be read behind that may wait for us. */
  #isDue(socket: Socket): boolean {
    const last = this.#last.get(socket);
    if (last === undefined || isSent(last)) return socket.writableLength > 0;
    return last.req.complete || !isSent(this.#before.get(last));
  }

  /**
   * Waits until the answer before this one has left. Node hands over all requests of a packet at once and sends their
   * answers in order: a thousand pipelined searches of 60 bytes each would be answered into memory. Undefined where
   * there is nothing to wait for; false where the client has gone, so that nothing is done for nobody.
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
        // One that ends after its last answer is not destroyed at once, and takes no more.
        resolve(!socket.destroyed && !socket.writableEnded);
      };
      waiting.add(go);
      before.once('finish', go);
    });
  }

  /**
   * The answer behind which a connection can be refused; undefined where there is none. 'begun': what cannot be read belongs
   * to a request whose answer has begun, so that nothing more can be said.
   */
  pendingAnswer(socket: Socket): ServerResponse | 'begun' | undefined {
    const last = this.#last.get(socket);
    if (last === undefined || isSent(last)) return undefined;
    if (last.req.complete) return last;
    if (last.headersSent) return 'begun';
    const before = this.#before.get(last);
    return isSent(before) ? undefined : before;
  }

  /** A connection is to be refused; false where it is already. */
  markRefused(socket: Socket): boolean {
    if (this.#refused.has(socket)) return false;
    this.#refused.add(socket);
    return true;
  }

  /**
   * From here on the client has so long to read on; only a socket with unsent bytes is cut, and only without progress.
   * Most answers have left when they have been written: then there is nothing to wait for.
   */
  limitReadPauses(response: ServerResponse): void {
    // Requests that tests inject have none.
    if (!(response.socket instanceof Socket)) return;
    if (response.writableEnded && response.socket.writableLength === 0) return;
    response.setTimeout(this.#limits.writeIdleTimeoutMs, () => {
      const { socket } = response;
      if (socket !== null && (socket.writableLength > 0 || response.writableLength > 0)) socket.destroy();
    });
  }
}

/** Whether there is no answer, or it waits for nothing. */
function isSent(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** Where a connection comes from, the same for its inner and its outer socket. */
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
