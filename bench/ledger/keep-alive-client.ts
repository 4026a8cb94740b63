// A client with little CPU cost: keep-alive connections over plain sockets, one request at a time on each,
// replies read by their content-length.

import { connect, type Socket } from 'node:net';

/** A pool of connections to one server. */
export class KeepAliveClient {
  readonly #host: string;
  readonly #free: Connection[];

  private constructor(host: string, connections: Connection[]) {
    this.#host = host;
    this.#free = connections;
  }

  static async open(address: string, width: number): Promise<KeepAliveClient> {
    const { hostname, port, host } = new URL(address);
    const sockets = await Promise.all(
      Array.from(
        { length: width },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () =>
              resolve(socket),
            );
            socket.once('error', reject);
          }),
      ),
    );
    return new KeepAliveClient(
      host,
      sockets.map((socket) => new Connection(socket)),
    );
  }

  /** Sends a POST. Rejects for any status but 201. REQUIRES: at most as many concurrent calls as connections. */
  async post(path: string, body = ''): Promise<void> {
    const lane = this.#free.pop();
    if (lane === undefined) throw new Error('all connections are busy');
    const type = body === '' ? '' : 'Content-Type: application/json\r\n';
    const length = Buffer.byteLength(body);
    const reply = await lane.send(
      `POST ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nConnection: keep-alive\r\n${type}Content-Length: ${length}\r\n\r\n${body}`,
    );
    this.#free.push(lane);
    if (!reply.startsWith('HTTP/1.1 201')) throw new Error(`${path}: ${reply}`);
  }

  close(): void {
    for (const lane of this.#free) lane.close();
  }
}

class Connection {
  readonly #socket: Socket;
  #settle: { resolve: (head: string) => void; reject: (error: Error) => void } | undefined;
  #head = '';
  /** Missing bytes of the body; undefined until the head is complete. */
  #left: number | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('close', () => this.#settle?.reject(new Error('the server has closed a connection')));
  }

  send(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#head = '';
      this.#left = undefined;
      this.#socket.write(text);
    });
  }

  #take(bytes: Buffer): void {
    if (this.#left === undefined) {
      this.#head += bytes.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0);
      this.#left = length - (this.#head.length - end - 4);
    } else this.#left -= bytes.length;
    if (this.#left > 0) return;
    this.#settle?.resolve(this.#head);
    this.#settle = undefined;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Runs `count` calls, `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  run: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
