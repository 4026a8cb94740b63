// Ends a connection whose client may still be sending. If unread bytes are there at a close, the system
// resets the connection, and the client loses what it has not read of its answer. So the end of the answer is
// sent, and what still comes is read and dropped, until the client ends its side too, or for a while (RFC
// 9112, 9.6).

import type { Socket } from 'node:net';

/** How long, after the last byte of the answer has left, in ms. */
const LINGER_MS = 1_000;
/** So many bytes are dropped at most; then the connection is reset. */
const LINGER_BYTES = 1_048_576;

const lingering = new WeakSet<Socket>();

/** Makes `destroySoon` of a connection linger. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = linger;
}

/** True while a connection is ended and waits for its client to end it, too. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket) && !socket.destroyed;
}

function linger(this: Socket): void {
  if (this.destroyed || lingering.has(this)) return;
  lingering.add(this);
  if (this.writable) this.end();
  // No reader handles further requests. node:http releases a socket that has other 'data' listeners.
  for (const event of ['data', 'end'] as const) this.removeAllListeners(event);
  const before = this.bytesRead;
  this.on('data', () => {
    if (this.bytesRead - before < LINGER_BYTES) return;
    // While the answer is being sent, further bytes wait at the client.
    if (this.writableFinished) this.destroy();
    else this.pause();
  });
  this.on('end', () => {
    if (this.writableFinished) this.destroy();
  });
  this.resume();
  if (this.writableFinished) waitForEnd(this);
  else this.once('finish', () => waitForEnd(this));
}

function waitForEnd(socket: Socket): void {
  if (socket.readableEnded || socket.isPaused()) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
