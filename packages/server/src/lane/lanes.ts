// Which connections are answered without node:http? All begin here. Those that ask for nothing, or have not read their
// answer, for longer than the limits say are closed, as node:http would.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HotTransfers } from '../api/hot/transfers.ts';
import type { Limits } from '../limits.ts';
import type { Connections } from '../wire/connections.ts';
import { Lane } from './lane.ts';

const LOOK_MS = 1_000;

type Listener = (socket: Socket) => void;

/** The lanes of one server. */
export class Lanes {
  readonly transfers: HotTransfers;
  /** What an answer says of its connection. */
  readonly keepAlive: string;
  closing = false;
  /** Longer requests are for node:http, which knows what to say. */
  readonly mostHeadBytes: number;
  readonly #server: Server;
  readonly #limits: Limits;
  readonly #connections: Connections;
  /** What node:http does with a new connection. */
  readonly #http: readonly Listener[];
  readonly #lanes = new Set<Lane>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Takes over the new connections of a server. */
  constructor(server: Server, transfers: HotTransfers, limits: Limits, connections: Connections) {
    this.transfers = transfers;
    this.keepAlive = `keep-alive\r\nkeep-alive: timeout=${Math.floor(limits.keepAliveTimeoutMs / 1_000)}`;
    this.mostHeadBytes = limits.headerBytes;
    this.#server = server;
    this.#limits = limits;
    this.#connections = connections;
    this.#http = server.listeners('connection') as Listener[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => this.#lanes.add(new Lane(socket, this)));
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** A connection has asked for something. */
  heardOf({ socket }: Lane): void {
    this.#connections.heard(socket);
  }

  /** A connection has closed. */
  left(lane: Lane): void {
    this.#lanes.delete(lane);
    if (this.closing && this.#lanes.size === 0) clearInterval(this.#timer);
  }

  /** A connection is one for node:http from here on. */
  handOver(lane: Lane): void {
    this.#lanes.delete(lane);
    for (const listener of this.#http) listener.call(this.#server, lane.socket);
  }

  /** Ends all of them, after the answers that are under way; those who do not read theirs, when their time is over. */
  close(): void {
    this.closing = true;
    for (const lane of this.#lanes) lane.finish();
    if (this.#lanes.size === 0) clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const { keepAliveTimeoutMs, headersTimeoutMs, writeIdleTimeoutMs } = this.#limits;
    for (const lane of this.#lanes) {
      if (!lane.isIdle) continue;
      const silence = now - lane.heard;
      if (lane.isStuck ? silence > writeIdleTimeoutMs : lane.used && silence > keepAliveTimeoutMs)
        lane.socket.destroy();
      else if (!lane.used && silence > headersTimeoutMs) {
        this.#lanes.delete(lane);
        this.#server.emit('clientError', timedOut(), lane.socket);
      }
    }
  }
}

function timedOut(): Error {
  const error: NodeJS.ErrnoException = new Error('Request timeout');
  error.code = 'ERR_HTTP_REQUEST_TIMEOUT';
  return error;
}
