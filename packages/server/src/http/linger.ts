// How does a connection end whose client may still be sending? Where bytes that nobody has read are there at a close, the system
// resets the connection, and what the client has not read of its answer by then is lost. So the end of the answer is sent,
// and what still comes is read and dropped, until the client ends its side too, or for a while (RFC 9112, 9.6).

import type { Socket } from 'node:net';

/** For so long, once all that is said has left for the client, ms. */
const LINGER_MS = 1_000;
/** No more than this is dropped: who sends on and on is reset. */
const LINGER_BYTES = 1_048_576;

const lingering = new WeakSet<Socket>();

/** Has a connection end in this way wherever it would be destroyed once its answers have left. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = linger;
}

/** Whether it has been ended, and is read from until its client has ended it too. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket) && !socket.destroyed;
}

function linger(this: Socket): void {
  if (this.destroyed || lingering.has(this)) return;
  lingering.add(this);
  if (this.writable) this.end();
  // Whoever read from it does nothing more for this client; that somebody listens here has node:http let go of it.
  for (const event of ['data', 'end'] as const) this.removeAllListeners(event);
  const before = this.bytesRead;
  this.on('data', () => {
    if (this.bytesRead - before < LINGER_BYTES) return;
    // While an answer leaves, what comes may wait at the client.
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
