// How does a request that node:http has read go the short way? As its head, where no body follows; the answer is written
// over Node's own response.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_FIXED } from '../../lane/printed.ts';
import type { Asker, PlainAnswer } from '../../lane/request.ts';
import type { Connections } from '../../wire/connections.ts';
import type { HotTransfers } from './transfers.ts';

/** True where the request will be answered the short way. REQUIRES: no answer is under way on its connection. */
export function takeTransfer(
  hot: HotTransfers,
  request: IncomingMessage,
  response: ServerResponse,
  connections: Connections,
): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'POST' || !url.startsWith('/api/transaction') || hasBody(request)) return false;
  if (!hot.take({ target: url, headers, socket: request.socket }, new HttpAsker(response, connections)))
    return false;
  void connections.turn(request.socket, response);
  return true;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && Number(length) !== 0) || headers['transfer-encoding'] !== undefined;
}

class HttpAsker implements Pick<Asker, 'answer'> {
  readonly #response: ServerResponse;
  readonly #connections: Connections;

  constructor(response: ServerResponse, connections: Connections) {
    this.#response = response;
    this.#connections = connections;
  }

  answer({ status, fixed, headers, body }: PlainAnswer): number {
    const response = this.#response;
    const { pairs } = fixed ?? NO_FIXED;
    response.writeHead(status, [...pairs, ...headers, 'content-length', String(Buffer.byteLength(body))]);
    response.end(body);
    // The kernel takes an answer of this size at once, unless the client does not read.
    if ((response.socket?.writableLength ?? 0) > 0) this.#connections.expectReader(response);
    return performance.now();
  }
}
