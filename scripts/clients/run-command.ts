// Runs a command in a folder with a time limit, and collects what it prints. At the limit all its processes are ended.

import { spawn } from 'node:child_process';

export interface Ended {
  /** The exit code; a text if it could not start, ran out of time or was ended by a signal. */
  readonly ended: number | string;
  readonly output: string;
  readonly errors: string;
}

export function runCommand(
  program: string,
  args: readonly string[],
  folder: string,
  seconds: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    // A process group of its own, so that the processes of a tool end with it.
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env,
    });
    let [output, errors] = ['', ''];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const end = (ended: number | string): void => {
      clearTimeout(timer);
      resolve({ ended: late ? `a time limit of ${seconds} s` : ended, output, errors });
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(code ?? String(signal)));
  });
}
