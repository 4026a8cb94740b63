// A server as a process of its own: asked over HTTP, ended by signals.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/octavo.js', import.meta.url));

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  stderr(): string;
  /** Sends `METHOD /path` with a body; replies are read as JSON. */
  ask(line: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Ends it and gives the exit code. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** How a process ended that did not serve. */
export class NotServing extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(exitCode: number | null, stderr: string) {
    super(`exit code ${exitCode}: ${stderr}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** Starts `octavo serve` on a free port and waits until it listens. `openFiles`: its limit of open files. */
export async function serveProcess(
  dir: string,
  flags: readonly string[] = [],
  { bin = BIN, openFiles }: { readonly bin?: string; readonly openFiles?: number } = {},
): Promise<Served> {
  const command = [process.execPath, bin, 'serve', '--data', dir, '--port', '0', ...flags];
  if (openFiles !== undefined) command.unshift('sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`);
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => (err += data));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      const found = /listens on (\S+) /.exec(out);
      if (found !== null) resolve(found[1]!);
    });
    child.once('close', (code) => reject(new NotServing(code, err)));
  });
  const ended = once(child, 'close');
  return {
    child,
    url,
    stderr: () => err,
    async ask(line, body) {
      const [method = 'GET', path = '/'] = line.split(' ');
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const reply = await fetch(`${url}${path}`, {
        method,
        ...(text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return ((await ended) as [number | null])[0];
    },
  };
}
