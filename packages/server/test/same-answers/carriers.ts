// The carriers: each sends the bytes of a request to a server in its own way. To remove a carrier, remove it
// from `CARRIERS`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, listen, type ServeOptions } from '@octavo/server';
import { Connection, type Place } from './client.ts';
import { type Answer, type Request, respelled } from './request.ts';

/** A server over a data directory. */
interface Running extends Place {
  close(): Promise<void>;
}

type Start = (dir: string) => Promise<Running>;

/** How the bytes of a request leave: in packets, behind so many other requests whose answers are not looked at. */
interface Layout {
  readonly parts: readonly Buffer[];
  readonly before: number;
}

type Lay = (request: Request) => Layout;

/** One way to an answer. */
interface Carrier {
  readonly name: string;
  readonly start: Start;
  /** One of them is drawn for each request. */
  readonly lays: readonly Lay[];
  /** True where requests show a key. */
  readonly keyed?: true;
  /** True where everything is asked at every moment; else some of it is, which the dice decide. */
  readonly isThorough?: true;
  /** Connections that are used in turn. */
  readonly connections?: number;
  /** Why it is left out here. */
  readonly skip?: string | false;
}

/** A server that answers by way of one carrier. */
export class Carried {
  readonly #carrier: Carrier;
  readonly #dir: string;
  #running: Running;
  #connections: Connection[] = [];
  readonly #draw: (below: number) => number;
  #turn = 0;
  #key: string | undefined;

  private constructor(carrier: Carrier, dir: string, draw: (below: number) => number, running: Running) {
    this.#carrier = carrier;
    this.#dir = dir;
    this.#draw = draw;
    this.#running = running;
  }

  /** `draw` gives numbers from 0 to `below`, without that. */
  static async start(carrier: Carrier, dir: string, draw: (below: number) => number): Promise<Carried> {
    const carried = new Carried(carrier, dir, draw, await carrier.start(dir));
    if (carrier.keyed) await carried.#makeKey();
    return carried;
  }

  async ask(request: Request): Promise<Answer> {
    const { connections = 1, lays } = this.#carrier;
    const at = this.#turn++ % connections;
    let connection = this.#connections[at];
    if (connection?.isOpen !== true)
      this.#connections[at] = connection = await Connection.open(this.#running);
    const { parts, before } = lays[this.#draw(lays.length)]!(this.#shown(request));
    await connection.send(parts);
    for (const _ of new Array(before)) await connection.answer(true);
    return await connection.answer(request.method === 'HEAD');
  }

  /** Ends the server and starts it again over the same data. */
  async restart(): Promise<void> {
    await this.close();
    this.#connections = [];
    this.#running = await this.#carrier.start(this.#dir);
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.#running.close();
  }

  #shown(request: Request): Request {
    if (this.#key === undefined || request.headers?.['authorization'] !== undefined) return request;
    return { ...request, headers: { authorization: `Bearer ${this.#key}`, ...request.headers } };
  }

  async #makeKey(): Promise<void> {
    const made = await this.ask({
      ...{ method: 'POST', target: '/api/keys' },
      body: JSON.stringify({ name: 'all', scopes: ['*'] }),
    });
    this.#key = (JSON.parse(String(made.body)) as { token: string }).token;
  }
}

const TLS = join(import.meta.dirname, '../fixtures/tls');
const BIN = fileURLToPath(new URL('../../bin/octavo.js', import.meta.url));

/** A server in this process. */
function here(options: ServeOptions = {}, certificate?: Buffer): Start {
  return async (dir) => {
    const engine = await open(dir, { ballastBytes: 0 });
    const records = await openRecords(dir);
    const app = await createServer(engine, { ...options, records });
    const { port } = new URL(await listen(app, { port: 0 }));
    return {
      port: Number(port),
      certificate,
      async close() {
        await app.close();
        await records.close();
        await engine.close();
      },
    };
  };
}

/** A server as its user starts it. */
function process_(...flags: readonly string[]): Start {
  return async (dir) => {
    const child: ChildProcess = spawn(
      process.execPath,
      [BIN, 'serve', '--data', dir, '--port', '0', '--quiet', ...flags],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'close');
    const url = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout!.on('data', (data) => {
        out += data;
        const found = /listens on (\S+) /.exec(out);
        if (found !== null) resolve(found[1]!);
      });
      child.once('close', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return {
      port: Number(new URL(url).port),
      async close() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  };
}

/** Head and body. Of several headers of one name the one of the request counts. */
function bytesOf(
  { method, target, headers = {}, body }: Request,
  more: readonly string[],
  length = true,
): Buffer[] {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const all = [`${method} ${target} HTTP/1.1`, ...(names.has('host') ? [] : ['Host: localhost'])];
  for (const [name, value] of Object.entries(headers)) all.push(`${name}: ${value}`);
  if (bytes !== undefined && !names.has('content-type')) all.push('Content-Type: application/json');
  if (bytes !== undefined && length && !names.has('content-length'))
    all.push(`Content-Length: ${bytes.length}`);
  const head = Buffer.from(`${[...all, ...more].join('\r\n')}\r\n\r\n`, 'latin1');
  return bytes === undefined || bytes.length === 0 ? [head] : [head, bytes];
}

const whole: Lay = (request) => ({ parts: [Buffer.concat(bytesOf(request, []))], before: 0 });

const headAndBody: Lay = (request) => ({ parts: bytesOf(request, []), before: 0 });

/** With a header that is nobody's business but of who parses all of HTTP. */
const withTrailers: Lay = (request) => ({
  parts: [Buffer.concat(bytesOf(request, ['TE: trailers']))],
  before: 0,
});

const inChunks: Lay = (request) => {
  const { body } = request;
  if (body === undefined || body.length === 0) return withTrailers(request);
  const [head, bytes] = bytesOf(request, ['Transfer-Encoding: chunked'], false) as [Buffer, Buffer];
  const middle = bytes.length >> 1;
  const chunk = (part: Buffer): Buffer[] =>
    part.length === 0 ? [] : [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')];
  const end = Buffer.from('0\r\n\r\n');
  return {
    parts: [
      Buffer.concat([head, ...chunk(bytes.subarray(0, middle)), ...chunk(bytes.subarray(middle)), end]),
    ],
    before: 0,
  };
};

/** Sent ahead, behind a request whose answer is still to come. */
const behindAnother: Lay = (request) => {
  const { authorization } = request.headers ?? {};
  const first = {
    method: 'HEAD',
    target: '/',
    headers: authorization === undefined ? {} : { authorization },
  };
  return { parts: [Buffer.concat([...bytesOf(first, []), ...bytesOf(request, [])])], before: 1 };
};

/** Bodies of so many bytes are not remembered. */
const MEMORABLE = 5_000;

const certificate = readFileSync(join(TLS, 'a.crt'));

/**
 * The longest way: the framework answers what was sent ahead, and a long body is nothing that anybody remembers. What it says is
 * recorded.
 */
export const LONGEST: Carrier = {
  name: 'the longest way',
  start: here(),
  lays: [(request) => behindAnother(respelled(request, MEMORABLE) ?? request)],
};

/** All others. */
export const CARRIERS: readonly Carrier[] = [
  LONGEST,
  { name: 'plain connection', start: here(), lays: [whole, headAndBody], isThorough: true },
  { name: 'node:http', start: here(), lays: [withTrailers, inChunks, behindAnother], isThorough: true },
  {
    name: 'TLS',
    start: here({ tls: { cert: certificate, key: readFileSync(join(TLS, 'a.key')) } }, certificate),
    lays: [whole],
  },
  { name: 'a key', start: here(), lays: [whole], keyed: true },
  {
    ...{ name: 'two threads', start: process_('--threads', '2'), lays: [whole], connections: 6 },
    skip: process.platform === 'linux' ? false : 'connections are spread over threads on Linux only',
  },
];
