// A server of fixed bytes: `node:http` alone, which reads the body of a request and replies from an array of
// buffers, in a separate process. The lower bound for the cost of a page.

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Target } from '../measure/question.ts';

/** Serves reply n of a file of replies (a length and a line feed before each) under `/n`. */
export async function startBare(file: string): Promise<{ target: Target; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(import.meta.url), [file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', (code) => reject(new Error(`the bare server ended (${code})`)));
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.disconnect();
    });
  return { target: { name: 'bare', url, pid: child.pid ?? 0, data: '' }, stop };
}

function readReplies(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const replies: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(10, at);
    const length = Number(bytes.toString('latin1', at, line));
    replies.push(Buffer.from(bytes.subarray(line + 1, line + 1 + length)));
    at = line + 1 + length;
  }
  return replies;
}

async function serve(file: string): Promise<void> {
  const replies = readReplies(file);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const body = replies[Number(request.url!.slice(1))] ?? Buffer.alloc(0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      Buffer.concat(parts);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.once('disconnect', () => process.exit(0));
}

if (import.meta.main) await serve(process.argv[2] ?? '');
