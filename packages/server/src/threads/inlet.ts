// How does the writing thread take requests from those that read? On a socket that only this user can reach, from who has the
// word; from there on they are requests as any other, from the address that was told.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lingerAtEnd } from '../http/linger.ts';
import { ADDRESS_HEADER, SECRET_HEADER } from './relay.ts';

/** Where requests are taken. */
export interface Inlet {
  readonly path: string;
  readonly secret: string;
  close(): Promise<void>;
}

/** Opens the inlet of a server: what comes is its `request`. */
export async function openInlet(server: Server, maxHeaderSize: number): Promise<Inlet> {
  // Nobody else may look into it.
  const folder = await mkdtemp(join(tmpdir(), 'octavo-'));
  const path = join(folder, 'inlet');
  const secret = randomBytes(32).toString('base64url');
  // What concerns clients (slow ones, too long headers, no host) is seen to where they are connected.
  const options = {
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 60_000,
    maxHeaderSize: maxHeaderSize + 1_024,
    // What comes of HTTP/1.0, which need not name one, goes on here as 1.1.
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
  // Of what is refused before its body has come, the answer would be cut by a reset.
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
  const shown = Buffer.from(String(headers[SECRET_HEADER] ?? ''));
  const own = Buffer.from(secret);
  return shown.length === own.length && timingSafeEqual(shown, own);
}

/** The connection is one request's at a time. */
function setAddress(socket: Socket, address: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address || undefined, configurable: true });
}

function removeHeader(request: IncomingMessage, name: string): void {
  delete request.headers[name];
  const { rawHeaders } = request;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (rawHeaders[i]!.toLowerCase() === name) rawHeaders.splice(i, 2);
}
