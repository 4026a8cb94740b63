// Sends one request to one node and reads the whole answer, within limits of time and size. A failure says whether the node can have
// seen the request.

import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A request to a node. */
export interface NodeRequest {
  readonly method: string;
  /** Path and query string, from `/` on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** What came back, all of it. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How long and how much. */
interface SendLimits {
  /** Milliseconds until there is a connection. */
  readonly connectMs: number;
  /** Milliseconds until the answer has arrived whole. */
  readonly answerMs: number;
  /** The most bytes of an answer. */
  readonly answerBytes: number;
  /** Bytes of all answers that are being taken, which come and go here, and the most there may be. */
  readonly buffered: { bytes: number; readonly most: number };
}

/** No answer. `seen`: the node may have got the request, and may have done what it asks. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly mayHaveArrived: boolean;
  readonly reason: 'refused' | 'cut' | 'late' | 'long' | 'much' | 'gone' | 'full';
  /** How an answer begins that is not taken, `long` or `much`. */
  readonly head: Buffer | undefined;

  constructor(why: NoAnswer['reason'], seen: boolean, message: string, head?: Buffer) {
    super(message);
    this.reason = why;
    this.mayHaveArrived = seen;
    this.head = head;
  }
}

/** Parts of an answer that tell how it begins. */
const HEAD_PARTS = 4;

/** Sends a request and takes its answer. Rejects with NoAnswer; `gone` when the signal says so. */
export function send(
  node: URL,
  agent: Agent,
  asked: NodeRequest,
  limits: SendLimits,
  signal?: AbortSignal,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    const { buffered } = limits;
    let seen = false;
    let length = 0;
    const request = (node.protocol === 'https:' ? httpsRequest : httpRequest)({
      agent,
      protocol: node.protocol,
      hostname: node.hostname.replace(/^\[|\]$/g, ''),
      port: node.port === '' ? (node.protocol === 'https:' ? 443 : 80) : node.port,
      method: asked.method,
      path: node.pathname.replace(/\/$/, '') + asked.path,
      headers: {
        ...asked.headers,
        ...(asked.body === undefined ? {} : { 'content-length': String(asked.body.length) }),
      },
    });
    const fail = (why: NoAnswer['reason'], message: string, head?: Buffer): void => {
      clear();
      reject(new NoAnswer(why, seen, message, head));
      request.destroy();
    };
    const gone = (): void => fail('gone', 'the caller has disconnected');
    // All connections are taken: that says nothing of the node.
    let timer = setTimeout(() => fail('full', `no turn in ${limits.answerMs} ms`), limits.answerMs);
    const clear = (): void => {
      buffered.bytes -= length;
      length = 0;
      clearTimeout(timer);
      signal?.removeEventListener('abort', gone);
    };
    const connected = (): void => {
      seen = true;
      clearTimeout(timer);
      timer = setTimeout(() => fail('late', `no whole answer in ${limits.answerMs} ms`), limits.answerMs);
    };
    request.once('socket', (socket) => {
      if (!socket.connecting) {
        connected();
        return;
      }
      // Until there is a connection nothing of the request has left this machine.
      clearTimeout(timer);
      timer = setTimeout(() => fail('late', `no connection in ${limits.connectMs} ms`), limits.connectMs);
      socket.once(node.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
    });
    request.once('error', (error: NodeJS.ErrnoException) =>
      fail(seen ? 'cut' : 'refused', error.code ?? error.message),
    );
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        if (request.destroyed) return;
        length += part.length;
        buffered.bytes += part.length;
        parts.push(part);
        const head = (): Buffer => Buffer.concat(parts.slice(0, HEAD_PARTS));
        if (length > limits.answerBytes)
          fail('long', `an answer of more than ${limits.answerBytes} bytes`, head());
        else if (buffered.bytes > buffered.most)
          fail('much', `${buffered.bytes} bytes of answers at once`, head());
      });
      response.once('error', () => fail('cut', 'the connection ended in the middle of the answer'));
      response.once('end', () => {
        clear();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    if (signal?.aborted === true) gone();
    else signal?.addEventListener('abort', gone, { once: true });
    request.end(asked.body);
  });
}
