// Starts the server under test by our command line, on a free port, with a temporary data directory.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** The data directory. */
  readonly data: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

const BIN = fileURLToPath(new URL('../packages/server/bin/octavo.js', import.meta.url));
const START_MS = 30_000;

/** Starts `octavo serve` and waits until it listens. */
export async function startServer(flags: readonly string[] = []): Promise<RunningServer> {
  const data = mkdtempSync(join(tmpdir(), 'octavo-'));
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--data', data, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const url = await addressOf(child);
    return { url, pid: child.pid ?? 0, data, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new Error(`the server does not listen after ${START_MS / 1000} s`)),
      START_MS,
    );
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const url = /listens on (http:\S+)/.exec(text)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    child.once('error', fail);
    child.once('close', (code) => fail(new Error(`the server ended at its start (${code})`)));
  });
}
