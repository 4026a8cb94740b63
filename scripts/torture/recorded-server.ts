// `octavo serve` as a process under the recorder, on a folder of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RecorderOptions, recorderEnvironment } from './recorder.ts';

const MAIN = fileURLToPath(new URL('../../packages/server/bin/octavo.js', import.meta.url));

export interface RecordedServer {
  readonly url: string;
  readonly child: ChildProcess;
  stderr(): string;
  /** Waits until it ends by itself. */
  ended(): Promise<number | null | 'hung'>;
  /** Ends it and gives the exit code, or null after a signal. `hung` where it does not end. */
  end(signal?: NodeJS.Signals): Promise<number | null | 'hung'>;
}

/** How a start ended that does not serve. */
interface NotStarted {
  readonly code: number | null | 'hung';
  readonly stderr: string;
}

const HUNG_MS = 60_000;

/** Starts a server. The library is left out where nothing is to be recorded. */
export async function startRecorded(
  dir: string,
  library: string | undefined,
  options: RecorderOptions = { root: dir },
  flags: readonly string[] = [],
  shell: { readonly before?: string } = {},
): Promise<RecordedServer | NotStarted> {
  const run = [process.execPath, MAIN, 'serve', '--data', dir, '--port', '0', '--quiet', ...flags];
  const [command = '', ...args] =
    shell.before === undefined ? run : ['sh', '-c', `${shell.before}; exec "$@"`, 'sh', ...run];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(library !== undefined && recorderEnvironment(library, options)) },
  });
  let err = '';
  child.stderr!.on('data', (text) => (err = (err + text).slice(-20_000)));
  const ended = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string | undefined>((resolve) => {
    let out = '';
    child.stdout!.on('data', (text) => {
      out += text;
      const found = /listens on (\S+) /.exec(out);
      if (found !== null) resolve(found[1]);
    });
    void ended.then(() => resolve(undefined));
    setTimeout(resolve, HUNG_MS, undefined).unref();
  });
  const waitForEnd = async (): Promise<number | null | 'hung'> => {
    const code = await Promise.race([
      ended.then(([code]) => code),
      new Promise<'hung'>((resolve) => setTimeout(resolve, HUNG_MS, 'hung').unref()),
    ]);
    if (code === 'hung') child.kill('SIGKILL');
    return code;
  };
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null | 'hung'> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await waitForEnd();
  };
  if (url !== undefined) return { url, child, stderr: () => err, ended: waitForEnd, end };
  const hung = child.exitCode === null && child.signalCode === null;
  const code = await end('SIGKILL');
  return { code: hung ? 'hung' : code, stderr: err };
}

/** Runs work in a new folder that is removed afterwards. Folders lie in memory where the system has such a place. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.env['OCTAVO_TORTURE_DIR'] ?? tmpdir(), 'octavo-torture-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
