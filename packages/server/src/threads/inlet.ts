// The inlet: a socket on which the writing thread takes requests from the reading threads. Only this user can
// reach it, and every request shows a secret. The server then handles it like any other request, from the
// address of the client.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lingerAtEnd } from '../http/linger.ts';
import { ADDRESS_HEADER, SECRET_HEADER } from './relay.ts';

/** An open inlet. */
export interface Inlet {
  readonly path: string;
  readonly secret: string;
  close(): Promise<void>;
}

/** Opens the inlet of a server. Requests are emitted as the server's own. */
export async function openInlet(server: Server, maxHeaderSize: number): Promise<Inlet> {
  // Only this user can enter the folder.
  const folder = await mkdtemp(join(tmpdir(), 'octavo-'));
  const path = join(folder, 'inlet');
  const secret = randomBytes(32).toString('base64url');
  // Slow clients, long headers and missing hosts are handled by the thread to which the client is connected.
  const options = {
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 60_000,
    maxHeaderSize: maxHeaderSize + 1_024,
    // A request of HTTP/1.0 needs no host, and is relayed as 1.1.
    requireHostHeader: false,
  };
  const inlet = createServer(options, (request, response) => {
    if (!hasSecret(request, secret)) {
      response.writeHead(403).end();
      return;
    }
    setAddress(request.socket, String(request.headers[ADDRESS_HEADER] ?? ''));
    removeHeader(request, SECRET_HEADER);
    removeHeader(request, ADDRESS_HEADER);
    server.emit('request', request, response);
  });
  // Without lingering, a reset would cut the answer to a request that is refused before its body has come.
  inlet.on('connection', lingerAtEnd);
  await new Promise<void>((resolve, reject) => {
    inlet.once('error', reject);
    inlet.listen(path, resolve);
  });
  return {
    path,
    secret,
    async close() {
      const closed = new Promise((resolve) => inlet.close(resolve));
      inlet.closeIdleConnections();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function hasSecret({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(String(headers[SECRET_HEADER] ?? ''));
  const own = Buffer.from(secret);
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Sets the address of the current request. A connection carries one request at a time. */
function setAddress(socket: Socket, address: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address || undefined, configurable: true });
}

function removeHeader(request: IncomingMessage, name: string): void {
  delete request.headers[name];
  const { rawHeaders } = request;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (rawHeaders[i]!.toLowerCase() === name) rawHeaders.splice(i, 2);
}
