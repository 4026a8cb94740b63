// Where do the bytes go that a connection reads? Node makes 64 KiB of memory for each read, copies what has come, and gives
// the rest back, which costs as much as all that is done with the head of a request. A socket of a client can be told to read
// into memory that is there (`onread`); one that a server has taken cannot, so the same is set where Node keeps it. A Node that
// keeps it elsewhere reads as ever.

import type { Socket } from 'node:net';

/** As much as Node reads at once. */
const READ_BYTES = 65_536;
/** What has come is copied side by side into pieces of this size, */
const PIECE_BYTES = 32_768;
/** unless there is so much of it. */
const LARGE_BYTES = 8_192;

/** All reads go here, one after the other: what has come is taken out before the next one. */
const shared: Buffer = Buffer.allocUnsafeSlow(READ_BYTES);
let piece: Buffer = shared.subarray(0, 0);
let filled = 0;

/** What a socket has come to; false where it is to read no more. */
type OnRead = (length: number) => boolean;

/** Where a socket keeps what `onread` says. */
interface Places {
  readonly buffer: symbol;
  readonly callback: symbol;
}

/** Of a socket's handle. */
interface Reader {
  useUserBuffer(buffer: Uint8Array): void;
}

/** Has `take` called with all that a connection reads from now on, in memory of its own; false where that cannot be had. */
export function readShared(socket: Socket, take: (bytes: Buffer) => void): boolean {
  const places = placesOf(socket);
  const handle: unknown = Reflect.get(socket, '_handle');
  if (places === undefined || !isReader(handle)) return false;
  const onRead: OnRead = (length) => {
    take(taken(length));
    return true;
  };
  Reflect.set(socket, places.callback, onRead);
  Reflect.set(socket, places.buffer, shared);
  handle.useUserBuffer(shared);
  return true;
}

/** From here on somebody else listens to what it reads, as to any socket. */
export function leaveShared(socket: Socket): void {
  const places = placesOf(socket);
  if (places === undefined || Reflect.get(socket, places.buffer) !== shared) return;
  const onRead: OnRead = (length) => socket.push(taken(length));
  Reflect.set(socket, places.callback, onRead);
}

/** The last `length` bytes that were read. */
function taken(length: number): Buffer {
  if (length >= LARGE_BYTES) return Buffer.from(shared.subarray(0, length));
  if (filled + length > piece.length) {
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    filled = 0;
  }
  const start = filled;
  filled += shared.copy(piece, start, 0, length);
  return piece.subarray(start, filled);
}

let known: Places | undefined;

function placesOf(socket: Socket): Places | undefined {
  if (known !== undefined) return known;
  const symbols = Object.getOwnPropertySymbols(socket);
  const buffer = symbols.find(({ description }) => description === 'kBuffer');
  const callback = symbols.find(({ description }) => description === 'kBufferCb');
  if (buffer !== undefined && callback !== undefined) known = { buffer, callback };
  return known;
}

function isReader(handle: unknown): handle is Reader {
  return typeof handle === 'object' && handle !== null && 'useUserBuffer' in handle;
}
