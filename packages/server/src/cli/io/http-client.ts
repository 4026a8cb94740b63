// The HTTP client of the commands: one kept-alive connection, JSON in and out, errors in plain words.

import { Agent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Failure, systemReason } from '../failure.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

interface HttpClientOptions {
  /** A sentence of advice if nothing answers. */
  readonly cure?: string;
  /** A Unix socket to connect to instead of the host. */
  readonly socketPath?: string;
}

const CURE = 'Start one with "octavo serve", or name it with --url.';

export class HttpClient {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;
  readonly #options: HttpClientOptions;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}, client: HttpClientOptions = {}) {
    this.#base = new URL(url);
    this.#headers = headers;
    this.#options = client;
    const options = { keepAlive: true, maxSockets: 4 };
    this.#agent = this.#base.protocol === 'https:' ? new TlsAgent(options) : new Agent(options);
  }

  /** One exchange. Throws a Failure if the server cannot be reached. */
  send(method: string, path: string, body?: Buffer | string, type = 'application/json'): Promise<HttpAnswer> {
    const send = this.#base.protocol === 'https:' ? tlsRequest : plainRequest;
    const { socketPath, cure = CURE } = this.#options;
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { ...this.#headers };
      if (body !== undefined) {
        headers['content-type'] = type;
        headers['content-length'] = Buffer.byteLength(body);
      }
      const request = send(
        {
          protocol: this.#base.protocol,
          hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
          port: this.#base.port,
          path: this.#base.pathname.replace(/\/$/, '') + path,
          method,
          headers,
          agent: this.#agent,
          ...(socketPath === undefined ? {} : { socketPath }),
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
          response.on('error', fail);
        },
      );
      const fail = (error: unknown): void =>
        reject(
          new Failure(
            `The server at ${this.#base.origin} cannot be reached: ${systemReason(error)}. ${cure}`,
          ),
        );
      request.on('error', fail);
      request.end(body);
    });
  }

  /** Like `send`, but an error answer is a Failure with the server's reason. */
  async request(method: string, path: string, body?: Buffer | string, type?: string): Promise<Buffer> {
    const answer = await this.send(method, path, body, type);
    if (answer.status >= 400) throw new Failure(`The server refused: ${refusalReason(answer)}`);
    return answer.body;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The reason in an error answer, or its first bytes. */
export function refusalReason(answer: HttpAnswer): string {
  const text = answer.body.toString('utf8');
  try {
    const { error, detail } = JSON.parse(text) as {
      error?: { reason?: string; type?: string } | string;
      detail?: string;
    };
    if (detail !== undefined) return detail;
    if (typeof error === 'string') return error;
    if (error?.reason !== undefined) return `${error.reason} (${error.type ?? answer.status})`;
  } catch {
    // not JSON: shown as it is
  }
  return `${answer.status} ${text.slice(0, 200).trim()}`;
}

/** Streams the body of a GET. Throws a Failure if the server cannot be reached or refuses. */
export async function fetchStream(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Failure(
      `The server at ${new URL(url).origin} cannot be reached: ${systemReason(cause)}. ` +
        'Start one with "octavo serve", or name it with --url.',
    );
  });
  if (!response.ok || response.body === null) {
    const body = Buffer.from(await response.arrayBuffer());
    throw new Failure(`The server refused: ${refusalReason({ status: response.status, body })}`);
  }
  return response.body;
}
