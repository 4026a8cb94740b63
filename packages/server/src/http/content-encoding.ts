// Compression of answers, where the client asks for it (RFC 9110, 12.5.3, by negotiator) and the body is long
// enough to gain. Among encodings of equal weight: zstd, which costs least, then br, then gzip.

import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** The encodings that this server has, the preferred one first. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A shorter body fits into one packet either way. */
export const MIN_ENCODED_BYTES = 1_400;

const ZSTD = { [constants.ZSTD_c_compressionLevel]: 1 };
const BROTLI_QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 3 };
const GZIP = { level: 3 };

const COMPRESSORS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  zstd: (body) => promisify<Buffer, object, Buffer>(zstdCompress)(body, { params: ZSTD }),
  br: (body) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(body, {
      params: { ...BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => promisify<Buffer, object, Buffer>(gzip)(body, GZIP),
};

const STREAMS: Readonly<Record<Encoding, () => Transform>> = {
  zstd: () => createZstdCompress({ params: ZSTD }),
  br: () => createBrotliCompress({ params: BROTLI_QUALITY }),
  gzip: () => createGzip(GZIP),
};

/** The encoding of an answer of `length` bytes; undefined to send it as it is. */
export function chooseEncoding(
  method: string,
  headers: IncomingHttpHeaders,
  status: number,
  length: number,
): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || length < MIN_ENCODED_BYTES) return undefined;
  if (method === 'HEAD' || status === 204 || status === 304) return undefined;
  return negotiateEncoding(typeof accepted === 'string' ? accepted : accepted[0]!);
}

/** Compresses a body on a thread of libuv's pool. */
export function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return COMPRESSORS[encoding](body);
}

/** Compresses a body that comes in parts; takes a part when the one before has been read. */
export async function* encodeParts(
  parts: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  // An error of the parts ends the stream with it; a reader that stops ends the parts.
  yield* pipeline(Readable.from(parts), STREAMS[encoding](), () => {}) as AsyncIterable<Uint8Array>;
}

/** What negotiator can be offered, the preferred one first; `x-gzip` is the old name of gzip, `identity` is none. */
const OFFERED = [...ENCODINGS, 'x-gzip', 'identity'] as const;

/** negotiator takes the server's preference since 1.0; its types lack it. */
interface PreferringNegotiator {
  encoding(
    available: readonly string[],
    options: { readonly preferred: readonly string[] },
  ): string | undefined;
}

/** The encoding that an Accept-Encoding header prefers; undefined if this server does not have it. */
export function negotiateEncoding(accepted: string): Encoding | undefined {
  const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const found = negotiator.encoding(OFFERED, { preferred: OFFERED });
  return found === 'x-gzip' ? 'gzip' : ENCODINGS.find((encoding) => encoding === found);
}
