// A server of fixed bytes: the framework of Octavo's server with one route that replies from an array of
// buffers, in a separate process. The lower bound for the cost of a page.

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Target } from '../measure/question.ts';

/** Serves reply n of a file of replies (a length and a line feed before each) under `/n`. */
export async function startStatic(file: string): Promise<{ target: Target; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(import.meta.url), [file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', (code) => reject(new Error(`the static server ended (${code})`)));
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.disconnect();
    });
  return { target: { name: 'static', url, pid: child.pid ?? 0, data: '' }, stop };
}

interface Framework {
  get(path: string, handler: (request: { params: { n: string } }, reply: Reply) => unknown): void;
  listen(options: { port: number; host: string }): Promise<string>;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: Buffer | undefined): Reply;
}

async function serve(file: string): Promise<void> {
  const bytes = readFileSync(file);
  const replies: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(10, at);
    const length = Number(bytes.toString('latin1', at, line));
    replies.push(Buffer.from(bytes.subarray(line + 1, line + 1 + length)));
    at = line + 1 + length;
  }
  // The same copy of the framework that the server uses.
  const require = createRequire(new URL('../../packages/server/package.json', import.meta.url));
  const app = (require('fastify') as () => Framework)();
  app.get('/:n', (request, reply) =>
    reply.header('content-type', 'application/json').send(replies[Number(request.params.n)]),
  );
  process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }));
  process.once('disconnect', () => process.exit(0));
}

if (import.meta.main) await serve(process.argv[2] ?? '');
