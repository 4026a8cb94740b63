// A node of a cluster that answers as a test says, and records its requests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A request as the node got it. */
export interface Heard {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a node says, as JSON; undefined leaves the connection as it is. */
export type Say = (heard: Heard, response: ServerResponse, request: IncomingMessage) => unknown;

/** A node on loopback. */
export interface FakeNode {
  readonly url: string;
  readonly heard: Heard[];
  say: Say;
  /** From now on connections are refused. */
  stop(): Promise<void>;
}

/** Starts a node; it goes with the test file. */
export async function fakeNode(say: Say): Promise<FakeNode> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const each = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      heard.push(each);
      const answer = node.say(each, response, request);
      if (answer === undefined) return;
      response.setHeader('content-type', 'application/json; charset=UTF-8');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  after(() => (server.listening ? stop() : undefined));
  const { port } = server.address() as AddressInfo;
  const node: FakeNode = { url: `http://127.0.0.1:${port}`, heard, say, stop };
  return node;
}
