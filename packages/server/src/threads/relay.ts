// The relay from a reading thread to the writing thread: HTTP over a socket of this process, bytes in, bytes
// out, with the address of the client.

import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type RelayedAnswer, type RelayedRequest, UNREACHABLE } from '../wire/router/lane-exchange.ts';

/** The secret of the inlet, and the address of the client. */
export const SECRET_HEADER = 'x-octavo-thread';
export const ADDRESS_HEADER = 'x-octavo-address';

/** Headers of a connection, which are not relayed (RFC 9110, 7.6.1). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  SECRET_HEADER,
  ADDRESS_HEADER,
]);

/** The relay of one reading thread. */
export class Relay {
  readonly #path: string;
  readonly #secret: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor({ path, secret }: { readonly path: string; readonly secret: string }) {
    this.#path = path;
    this.#secret = secret;
  }

  /** Relays a request while its body comes, and the answer while it comes. */
  pipe(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
    const headers = this.#headersOf(rawHeaders, socket.remoteAddress);
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    if (isChunked) headers.push('transfer-encoding', 'chunked');
    const upstream = request({ socketPath: this.#path, agent: this.#agent, method, path: url, headers });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode!, endToEnd(answer.rawHeaders, answer.headers.connection));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('aborted', () => response.destroy());
    });
    upstream.on('error', () => {
      if (response.headersSent) response.destroy();
      else refuse(incoming, response);
    });
    response.on('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    incoming.pipe(upstream);
  }

  /** Relays a request whose body has been read. Rejects if the writing thread has ended. */
  send({ method, url, headers, address }: RelayedRequest, body: Uint8Array): Promise<RelayedAnswer> {
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().flatMap((one) => [name, one]),
    );
    const sent = this.#headersOf(lines, address);
    const at = sent.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
    if (at >= 0) sent.splice(at, 2);
    if (body.length > 0 || at >= 0) sent.push('content-length', String(body.length));
    const { promise, resolve, reject } = Promise.withResolvers<RelayedAnswer>();
    const upstream = request(
      { socketPath: this.#path, agent: this.#agent, method, path: url, headers: sent },
      (answer) => {
        const own = endToEnd(answer.rawHeaders, undefined, true);
        if (answer.headers['content-length'] === undefined) {
          resolve({ status: answer.statusCode!, headers: own, body: answer });
          return;
        }
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          resolve({ status: answer.statusCode!, headers: own, body: Buffer.concat(parts) });
        });
      },
    );
    upstream.on('error', reject);
    upstream.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  #headersOf(lines: readonly string[], address: string | undefined): string[] {
    const headers = [SECRET_HEADER, this.#secret, ADDRESS_HEADER, address ?? ''];
    for (let i = 0; i < lines.length; i += 2)
      if (!CONNECTION_HEADERS.has(lines[i]!.toLowerCase())) headers.push(lines[i]!, lines[i + 1]!);
    return headers;
  }
}

/** The headers for the client. If the writing thread ends its connection, the client's is ended, too. */
function endToEnd(lines: readonly string[], connection: string | undefined, isWhole = false): string[] {
  const headers: string[] = [];
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i]!.toLowerCase();
    const isOurs = CONNECTION_HEADERS.has(name) || name === 'date' || (isWhole && name === 'content-length');
    if (!isOurs) headers.push(lines[i]!, lines[i + 1]!);
  }
  if (connection === 'close') headers.push('connection', 'close');
  return headers;
}

function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = UNREACHABLE;
  response.writeHead(status, [...headers, 'connection', 'close']);
  response.end(body);
  incoming.resume();
}
