// Should an answer be compressed, and how? Where the client asks for it (RFC 9110, 12.5.3: weights, `*`, `;q=0`) and the
// body is long enough to gain. Among what it likes equally: zstd, which costs least, then br, then gzip.

import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

/** The encodings that are spoken, the preferred one first. */
export const ENCODINGS = ['zstd', 'br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A body below this many bytes goes into one packet either way. */
export const WORTH_ENCODING = 1_400;

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
export function encodingFor(
  method: string,
  headers: IncomingHttpHeaders,
  status: number,
  length: number,
): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || length < WORTH_ENCODING) return undefined;
  if (method === 'HEAD' || status === 204 || status === 304) return undefined;
  return chosen(typeof accepted === 'string' ? accepted : accepted[0]!);
}

/** The compressed body, made on a thread of libuv's pool. */
export function encoded(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return COMPRESSORS[encoding](body);
}

const remembered = new Map<string, Encoding | undefined>();
const MAX_REMEMBERED = 500;

/** The encoding that an Accept-Encoding header likes most; undefined where that is none of ours. */
export function chosen(accepted: string): Encoding | undefined {
  if (remembered.has(accepted)) return remembered.get(accepted);
  const found = negotiate(accepted);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (accepted.length < 500) remembered.set(accepted, found);
  return found;
}

function negotiate(accepted: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding | undefined;
  // What is not named at all is as it is, below anything that is.
  let bestWeight = weights.get('identity') ?? 0;
  for (const name of ENCODINGS) {
    const weight = weightOf(name);
    if (weight <= 0 || weight < bestWeight || (weight === bestWeight && best !== undefined)) continue;
    best = name;
    bestWeight = weight;
  }
  return best;
}
