// An HTTP client with little overhead, so that a measurement times the server and not the client. Requests
// are prepared bytes on a plain socket, and a reply is read only as far as its length says. Handles
// content-length and chunked replies, one request at a time.

import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly body: Buffer;
}

/** The bytes of a request. */
export function rawRequest(
  host: string,
  method: string,
  path: string,
  body?: string | Buffer,
  headers: readonly string[] = [],
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
  const length = body === undefined ? undefined : bytes.length;
  const head = rawHead(host, method, path, length, 'application/json', headers);
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** The head of a request with a body of this many bytes, or without a body. */
export function rawHead(
  host: string,
  method: string,
  path: string,
  bodyBytes: number | undefined,
  type: string,
  headers: readonly string[] = [],
): string {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: keep-alive', ...headers];
  if (bodyBytes !== undefined) head.push(`content-type: ${type}`, `content-length: ${bodyBytes}`);
  return `${head.join('\r\n')}\r\n\r\n`;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** The size of the receive buffer. Replies that fit are read in place. */
const ROOM = 65_536;

/** One keep-alive connection, one request at a time. A reply is valid until the next request is sent. */
export class Connection {
  readonly #socket: Socket;
  /** The received part of a reply that arrives in pieces. */
  #parts: Buffer | undefined;
  #length = 0;
  /** The total size of that reply in bytes, once known. */
  #needed = 0;
  #resolve: ((reply: RawReply) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  private constructor({ port, hostname }: URL) {
    // Reads into one buffer without streams, which halves the client's cost of a reply.
    const callback = (length: number, buffer: Uint8Array): boolean => {
      this.#take(buffer.subarray(0, length) as Buffer);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafeSlow(ROOM), callback };
    this.#socket = connect({ port: Number(port), host: hostname, noDelay: true, onread });
    this.#socket.on('error', (error) => this.#reject?.(error));
    this.#socket.on('close', () => this.#reject?.(new Error('the connection was closed')));
  }

  static open(url: URL): Promise<Connection> {
    const connection = new Connection(url);
    return new Promise((resolve, reject) => {
      connection.#reject = reject;
      connection.#socket.once('connect', () => resolve(connection));
    });
  }

  send(request: Buffer): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = undefined;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    const all = this.#parts === undefined ? bytes : this.#append(this.#parts, bytes);
    if (all.length < this.#needed) return;
    const reply = this.#parse(all);
    if (reply === undefined) {
      if (this.#parts === undefined)
        this.#append(Buffer.allocUnsafeSlow(Math.max(ROOM, this.#needed)), bytes);
      return;
    }
    this.#parts = undefined;
    this.#length = 0;
    this.#needed = 0;
    this.#resolve?.(reply);
  }

  /** Appends a chunk to the received bytes. */
  #append(parts: Buffer, more: Buffer): Buffer {
    const length = this.#length + more.length;
    let room = parts;
    if (length > room.length) {
      room = Buffer.allocUnsafeSlow(Math.max(this.#needed, length * 2));
      room.set(parts.subarray(0, this.#length));
    }
    room.set(more, this.#length);
    this.#parts = room;
    this.#length = length;
    return room.subarray(0, length);
  }

  /** The reply once it is complete. Sets its total size when that becomes known. */
  #parse(all: Buffer): RawReply | undefined {
    const end = all.indexOf(HEAD_END);
    if (end === -1) return undefined;
    const head = all.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#needed = end + 4 + Number(length);
      if (all.length < this.#needed) return undefined;
      return { status, body: all.subarray(end + 4, this.#needed) };
    }
    const body = dechunk(all, end + 4);
    return body === undefined ? undefined : { status, body };
  }
}

function dechunk(all: Buffer, start: number): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = all.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(all.toString('latin1', at, lineEnd), 16);
    if (all.length < lineEnd + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(all.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
