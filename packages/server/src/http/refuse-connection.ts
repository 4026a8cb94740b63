// Answers a connection that is not HTTP, is too slow, has too long headers, or is one too many, before there
// is a request.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerAtEnd } from './linger.ts';

/** What is known of the answers of connections (`Connections`). */
export interface PendingAnswers {
  /**
   * The answer that must leave before a connection is refused; undefined where there is none. 'begun': the bytes that cannot be
   * read belong to a request whose answer has begun, so that no other answer can be sent.
   */
  pendingAnswer(socket: Socket): ServerResponse | 'begun' | undefined;
  /** Marks a connection as refused; false where it was already. */
  markRefused(socket: Socket): boolean;
}

/** Refuses a connection, after the answers to the requests that came before. */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: PendingAnswers,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const before = connections.pendingAnswer(socket);
  if (before === 'begun') {
    socket.destroySoon();
    return;
  }
  if (before !== undefined) {
    // Only once: nothing behind unreadable bytes can be read either.
    if (connections.markRefused(socket))
      before.once('finish', () => refuseConnection(error, socket, connections));
    return;
  }
  const [status, reason] = connectionError(error.code);
  socket.end(closingAnswer(status, reason));
}

/** How long a connection beyond the limit may take to send its first byte. */
const FIRST_BYTE_MS = 1_000;
const RETRY_AFTER = 'retry-after: 1\r\n';

/**
 * Refuses a connection beyond the limit with 503. Many clients drop an answer that comes before they have
 * sent their request, so its first byte is waited for.
 */
export function refuseExcess(socket: Socket): void {
  lingerAtEnd(socket);
  const timer = setTimeout(() => socket.destroy(), FIRST_BYTE_MS);
  socket.once('error', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.once('data', () => {
    clearTimeout(timer);
    socket.write(closingAnswer('503 Service Unavailable', 'too many connections are open', RETRY_AFTER));
    socket.destroySoon();
  });
}

function closingAnswer(status: string, reason: string, headers = ''): string {
  const body = JSON.stringify({ error: reason, status: Number(status.slice(0, 3)) });
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=UTF-8\r\n${headers}` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

function connectionError(code: string | undefined): [status: string, reason: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'the headers are too long'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'the request took too long to arrive'];
  return ['400 Bad Request', 'the request is not valid HTTP'];
}
