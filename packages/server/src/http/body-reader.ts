// Reads the body of a request into one buffer, within the limit, whatever its method and content type. gzip
// and deflate are decompressed within the same limit.

import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { copyBytes, EngineError, illegalArgument, Turn } from '@octavo/engine';

/** No body. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);

const INFLATERS: Readonly<Record<string, (bytes: Uint8Array, limit: number) => Promise<Uint8Array>>> = {
  gzip: (bytes, limit) => promisify<Uint8Array, object, Buffer>(gunzip)(bytes, { maxOutputLength: limit }),
  deflate: (bytes, limit) =>
    promisify<Uint8Array, object, Buffer>(inflate)(bytes, { maxOutputLength: limit }),
};

/** The body without the byte order mark that some editors put first. The peer ignores it, too. */
export function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  const start = skipByteOrderMark(body, 0);
  return start === 0 ? body : body.subarray(start);
}

/** Where the text at a position of a body begins: after the byte order mark, if there is one. */
export function skipByteOrderMark(body: Uint8Array, at: number): number {
  return body[at] === 0xef && body[at + 1] === 0xbb && body[at + 2] === 0xbf ? at + 3 : at;
}

/** Reads the body of a request; a promise if it has one. Throws 413 beyond `limit` bytes. */
export function readBody(request: IncomingMessage, limit: number): Uint8Array | Promise<Uint8Array> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) return NO_BYTES;
  if (Number(declared) === 0) return NO_BYTES;
  if (Number(declared) > limit) throw tooLarge(limit);
  return collect(request, Number(declared ?? 0), limit).then((bytes) =>
    decodeBody(bytes, request.headers['content-encoding'], limit),
  );
}

/**
 * With a declared length the chunks are copied straight into one buffer: no list of chunks, no second copy. Events cost a tenth of
 * an async iterator for a small body.
 */
function collect(request: IncomingMessage, declared: number, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const whole = declared > 0 ? Buffer.allocUnsafe(declared) : undefined;
    const chunks: Uint8Array[] = [];
    // A request of `inject` has no connection to pause.
    const isConnected = request.socket instanceof Socket;
    const turn = new Turn();
    let length = 0;
    request.on('data', (chunk: Uint8Array) => {
      if (length + chunk.length > (whole?.length ?? limit)) {
        request.removeAllListeners('data');
        request.pause();
        reject(tooLarge(limit));
        return;
      }
      if (whole === undefined) chunks.push(chunk);
      else {
        copyBytes(chunk, 0, chunk.length, whole, length);
        length += chunk.length;
        if (isConnected && length < whole.length && turn.isOver()) pauseForOthers(request);
        return;
      }
      length += chunk.length;
    });
    request.once('end', () => {
      if (whole === undefined) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
      else resolve(length === whole.length ? whole : whole.subarray(0, length));
    });
    request.once('error', reject);
  });
}

/**
 * Continues in a later turn of the event loop. Otherwise all that has arrived of a long body would be copied in one turn.
 * Pausing the socket alone has no effect: reading from the request resumes it.
 */
function pauseForOthers(request: IncomingMessage): void {
  request.pause();
  setImmediate(() => request.resume());
}

/** Decompresses a body that has arrived whole. */
export function decodeBody(
  body: Uint8Array,
  encoding: string | undefined,
  limit: number,
): Uint8Array | Promise<Uint8Array> {
  return body.length === 0 || encoding === undefined || encoding === 'identity'
    ? body
    : inflateBody(body, encoding, limit);
}

async function inflateBody(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const inflater = Object.hasOwn(INFLATERS, encoding) ? INFLATERS[encoding] : undefined;
  if (inflater === undefined) {
    throw illegalArgument(`the content encoding [${encoding}] is not supported, use [gzip] or none`, {});
  }
  try {
    return await inflater(bytes, limit);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw illegalArgument(`the body is not valid [${encoding}]`);
  }
}

function tooLarge(limit: number): EngineError {
  return new EngineError(
    'content_too_long_exception',
    `entity content is too long for the configured limit of [${limit}] bytes`,
  );
}
