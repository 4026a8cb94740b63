// A connection to a server: bytes go out as they are given, and whole answers come back.

import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Answer } from './request.ts';

/** Where a server listens. */
export interface Place {
  readonly port: number;
  /** The certificate that it shows; undefined where it speaks in clear. */
  readonly certificate?: Buffer | undefined;
}

const HEAD_END = '\r\n\r\n';

/** One connection. Requests are sent one after another. */
export class Connection {
  readonly #socket: Socket;
  #came: Buffer = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#came = this.#came.length === 0 ? bytes : Buffer.concat([this.#came, bytes]);
      this.#wake?.();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake?.();
    });
  }

  static open({ port, certificate }: Place): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const opened = (): void => resolve(new Connection(socket));
      const socket: Socket =
        certificate === undefined
          ? connect({ port, host: '127.0.0.1', noDelay: true }, opened)
          : connectTls(
              { port, host: '127.0.0.1', ca: certificate, checkServerIdentity: () => undefined },
              opened,
            );
      socket.once('error', reject);
    });
  }

  /** False once either side has ended it. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Sends each part in a packet of its own. */
  async send(parts: readonly Buffer[]): Promise<void> {
    for (const [i, part] of parts.entries()) {
      // A server in this process has read the one before by then.
      for (let turns = i > 0 ? 2 : 0; turns > 0; turns--) await setImmediate();
      this.#socket.write(part);
    }
  }

  /** The next answer. Throws where the connection ends before it is whole. */
  async answer(isHead: boolean): Promise<Answer> {
    for (;;) {
      const found = this.#next(isHead);
      if (found === 'continue') continue;
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`the connection ended after [${this.#came.toString('latin1')}]`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #next(isHead: boolean): Answer | 'continue' | undefined {
    const end = this.#came.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const [first = '', ...rest] = this.#came.toString('latin1', 0, end).split('\r\n');
    const status = Number(first.slice(9, 12));
    const start = end + HEAD_END.length;
    if (status === 100) {
      this.#came = this.#came.subarray(start);
      return 'continue';
    }
    const headers = rest.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    const headerOf = (name: string): string | undefined => headers.find(([each]) => each === name)?.[1];
    const isEmpty = isHead || status === 204 || status === 304;
    const found = isEmpty
      ? { body: Buffer.alloc(0), end: start }
      : headerOf('transfer-encoding') === 'chunked'
        ? chunked(this.#came, start)
        : sized(this.#came, start, headerOf('content-length'));
    if (found === undefined) return undefined;
    this.#came = this.#came.subarray(found.end);
    if (headerOf('connection') === 'close') this.#isClosed = true;
    return { status, headers, body: found.body };
  }
}

function sized(
  came: Buffer,
  start: number,
  length: string | undefined,
): { body: Buffer; end: number } | undefined {
  if (length === undefined) throw new Error('an answer tells neither its length nor comes in chunks');
  const end = start + Number(length);
  return came.length < end ? undefined : { body: came.subarray(start, end), end };
}

function chunked(came: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = came.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(came.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (came.length < from + length + 2) return undefined;
    if (length === 0) return { body: Buffer.concat(parts), end: from + 2 };
    parts.push(came.subarray(from, from + length));
    at = from + length + 2;
  }
}
