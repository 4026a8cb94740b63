// How is a receiver called? Once, at the address that was judged, without following redirects, with bounds on time and on
// what is read of the answer.

import type { LookupFunction } from 'node:net';
import { nodeHttp, nodeHttps } from '../../http/node-http.ts';
import type { Destination } from './public-address.ts';

/** Bounds of a call. */
export interface CallLimits {
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

export const CALL_LIMITS: CallLimits = { timeoutMs: 10_000, answerBytes: 64 * 1024 };

/** Posts a body and gives the status of the answer. Throws Error with words about what went wrong. */
export async function callWebhook(
  { url, address, family }: Destination,
  headers: Readonly<Record<string, string>>,
  body: string,
  bounds: CallLimits,
  signal: AbortSignal,
): Promise<number> {
  const send = url.protocol === 'https:' ? nodeHttps.request : nodeHttp.request;
  const pinned: LookupFunction = (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const time = AbortSignal.any([signal, AbortSignal.timeout(bounds.timeoutMs)]);
  return await new Promise<number>((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        // No pool: a connection of another time may lead elsewhere.
        agent: false,
        lookup: pinned,
        signal: time,
      },
      (response) => {
        let length = 0;
        const status = response.statusCode ?? 0;
        response.on('data', (part: Buffer) => {
          length += part.length;
          if (length <= bounds.answerBytes) return;
          // The status is known; nothing in the rest matters.
          request.destroy();
          resolve(status);
        });
        response.on('end', () => resolve(status));
        response.on('error', fail);
      },
    );
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(time.aborted && !signal.aborted ? new Error('no answer in time') : error);
    request.on('error', fail);
    request.end(body);
  });
}
