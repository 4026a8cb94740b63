// Starts our own server by its command line on a free port, with a temporary data directory. It can be
// stopped and started again on the same data.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../measure/question.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/octavo.js', import.meta.url));
const START_MS = 120_000;

export interface Octavo extends Target {
  /** Ends the process with a signal and starts another on the same data. Returns the ms until it listens. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/** `nodeFlags` go to Node; the server's stderr is dropped then. `bin` may be that of another checkout. */
export async function startOctavo(
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  bin: string = BIN,
): Promise<Octavo> {
  const data = mkdtempSync(join(tmpdir(), 'octavo-bench-data-'));
  let running = await launch(bin, data, flags, nodeFlags);
  return {
    name: 'octavo',
    data,
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? 0;
    },
    async restart(signal) {
      await end(running.child, signal);
      const start = performance.now();
      running = await launch(bin, data, flags, nodeFlags);
      return performance.now() - start;
    },
    async stop() {
      await end(running.child, 'SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function launch(
  bin: string,
  data: string,
  flags: readonly string[],
  nodeFlags: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const args = [...nodeFlags, bin, 'serve', '--port', '0', '--data', data, '--quiet', ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', nodeFlags.length > 0 ? 'ignore' : 'inherit'],
    // As in the image and the systemd unit (docs/operating.md).
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' },
  });
  try {
    return { child, url: await addressOf(child) };
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

/** The address in the first line that a server prints. */
export function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error('the server does not listen')), START_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const url = /(http:\/\/[\d.:[\]a-z]+)/.exec(text)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended at its start (${code})`));
    });
  });
}
