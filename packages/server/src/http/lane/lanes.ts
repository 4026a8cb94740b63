// The lanes of a server: every new connection begins in one. Connections that stay silent, or send a request
// too slowly, are closed as node:http would close them.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../../limits.ts';
import { afterPendingReads, type Connections } from '../connections.ts';
import { Lane, type LaneGroup } from './lane.ts';
import type { RequestHandler } from './request.ts';
import { PlainHeadReader } from './request-head.ts';

type Listener = (socket: Socket) => void;

/** The lanes of one server. */
export class Lanes implements LaneGroup {
  readonly handler: RequestHandler;
  readonly heads: PlainHeadReader;
  readonly keepAlive: string;
  readonly writeIdleTimeoutMs: number;
  closing = false;
  readonly #server: Server;
  readonly #limits: Limits;
  readonly #connections: Connections;
  /** The listeners of node:http for new connections. */
  readonly #http: readonly Listener[];
  readonly #lanes = new Set<Lane>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Takes over the new connections of a server. */
  constructor(server: Server, handler: RequestHandler, limits: Limits, connections: Connections) {
    const seconds = Math.floor(limits.keepAliveTimeoutMs / 1_000);
    this.handler = handler;
    this.heads = new PlainHeadReader(limits.headerBytes);
    this.keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
    this.writeIdleTimeoutMs = limits.writeIdleTimeoutMs;
    this.#server = server;
    this.#limits = limits;
    this.#connections = connections;
    this.#http = server.listeners('connection') as Listener[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      connections.addLane(socket);
      this.#lanes.add(new Lane(socket, this));
    });
    // On a busy server a request may have arrived in time and wait to be read.
    const check = (): void => afterPendingReads(() => this.#checkTimeouts());
    this.#timer = setInterval(check, limits.connectionsCheckMs);
    this.#timer.unref();
  }

  onFirstRequest({ socket }: Lane): void {
    this.#connections.noteRequest(socket);
  }

  onClose(lane: Lane): void {
    this.#lanes.delete(lane);
    if (this.closing && this.#lanes.size === 0) clearInterval(this.#timer);
  }

  handOver(lane: Lane): void {
    this.#lanes.delete(lane);
    this.#connections.removeLane(lane.socket);
    for (const listener of this.#http) listener.call(this.#server, lane.socket);
  }

  onTruncated(lane: Lane): void {
    this.#refuse(lane, 'HPE_INVALID_EOF_STATE');
  }

  /** Ends all lanes after the answers that are due. Clients that do not read theirs are cut by the write timeout. */
  close(): void {
    this.closing = true;
    for (const lane of this.#lanes) lane.finish();
    if (this.#lanes.size === 0) clearInterval(this.#timer);
  }

  #checkTimeouts(): void {
    const now = performance.now();
    const { keepAliveTimeoutMs, headersTimeoutMs, requestTimeoutMs } = this.#limits;
    for (const lane of this.#lanes) {
      const silence = now - lane.lastActivity;
      switch (lane.state) {
        case 'new':
          if (silence > headersTimeoutMs) this.#refuse(lane, 'ERR_HTTP_REQUEST_TIMEOUT');
          break;
        case 'partial':
          if (silence > requestTimeoutMs) this.#refuse(lane, 'ERR_HTTP_REQUEST_TIMEOUT');
          break;
        case 'idle':
          // While an answer is unsent, the timeout of the socket applies.
          if (!lane.hasUnsentBytes && silence > keepAliveTimeoutMs) lane.socket.destroy();
      }
    }
  }

  /** Refuses a connection as node:http does, by a 'clientError'. */
  #refuse(lane: Lane, code: string): void {
    lane.stop();
    this.#lanes.delete(lane);
    const error: NodeJS.ErrnoException = new Error('the request did not come');
    error.code = code;
    this.#server.emit('clientError', error, lane.socket);
    lane.socket.destroySoon();
  }
}
