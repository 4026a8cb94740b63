// Compression of answers, where the client asks for it (RFC 9110, 12.5.3, by negotiator) and the body is long
// enough to gain. Among encodings of equal weight: zstd, which costs least, then br, then gzip.

import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import Negotiator from 'negotiator';

/** The encodings that this server has, the preferred one first. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A shorter body fits into one packet either way. */
export const MIN_ENCODED_BYTES = 1_400;

const COMPRESSORS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  zstd: (body) =>
    promisify<Buffer, object, Buffer>(zstdCompress)(body, {
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    }),
  br: (body) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => promisify<Buffer, object, Buffer>(gzip)(body, { level: 3 }),
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
