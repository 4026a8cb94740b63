// Answers a connection that is not HTTP, is too slow or has too long headers, before there is a request.

import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** Refuses a connection, after the answers to the requests that came before. */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
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
  const body = JSON.stringify({ error: reason, status: Number(status.slice(0, 3)) });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=UTF-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function connectionError(code: string | undefined): [status: string, reason: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'the headers are too long'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'the request took too long to arrive'];
  return ['400 Bad Request', 'the request is not valid HTTP'];
}
