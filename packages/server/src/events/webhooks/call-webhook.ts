// Calls a receiver once, at the checked address, without following redirects, with limits on time and on the
// bytes read of the answer.

import type { LookupFunction } from 'node:net';
import { nodeHttp, nodeHttps } from '../../http/node-http.ts';
import type { Destination } from './public-address.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

export const CALL_LIMITS: CallLimits = { timeoutMs: 10_000, answerBytes: 64 * 1024 };

/** Posts a body and returns the status of the answer. Throws Error that says what went wrong. */
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
        // No pool: an older connection may lead elsewhere.
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
          // The status is known; the rest of the answer does not matter.
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
