// The HTTP client of the tests: a keep-alive connection, and replies parsed by media type.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ServerGone } from './failed.ts';
import { readJson, readYaml, type Value } from './values.ts';

export interface TestReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, parsed if it is JSON or YAML; for HEAD, true if the resource exists. */
  readonly body: Value;
}

export class Client {
  readonly #base: URL;
  readonly #timeoutMs: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(url: string, timeoutMs: number) {
    this.#base = new URL(url);
    this.#timeoutMs = timeoutMs;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** One exchange. Repeated once if the keep-alive connection was closed. */
  async send(
    method: string,
    target: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<TestReply> {
    try {
      return await this.#once(method, target, body, headers);
    } catch (error) {
      if (error instanceof ServerGone && error.cause === 'stale')
        return this.#once(method, target, body, headers);
      throw error;
    }
  }

  #once(
    method: string,
    target: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<TestReply> {
    return new Promise((resolve, reject) => {
      const sent: Record<string, string | number> = {};
      if (body !== undefined) {
        sent['content-type'] = 'application/json';
        sent['content-length'] = Buffer.byteLength(body);
      }
      for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
      const outgoing = request(
        {
          host: this.#base.hostname,
          port: this.#base.port,
          method,
          path: target,
          headers: sent,
          agent: this.#agent,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            const status = response.statusCode ?? 0;
            const text = Buffer.concat(parts).toString('utf8');
            try {
              const type = response.headers['content-type'] ?? '';
              resolve({ status, headers: response.headers, text, body: parse(method, status, type, text) });
            } catch (error) {
              reject(
                new Error(`${method} ${target}: the answer cannot be read: ${(error as Error).message}`),
              );
            }
          });
        },
      );
      const fail = (error: NodeJS.ErrnoException): void => {
        clearTimeout(timer);
        const stale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(
          new ServerGone(`${method} ${target}: ${error.message || error.code}`, {
            cause: stale ? 'stale' : error,
          }),
        );
      };
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no answer in ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      );
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }
}

function parse(method: string, status: number, type: string, text: string): Value {
  if (method === 'HEAD') return status < 400;
  if (/json/i.test(type)) return text === '' ? null : readJson(text);
  if (/yaml/i.test(type)) return readYaml(text)[0] ?? null;
  return text;
}
