// What does a program of this folder print? It runs in a process of its own, so that nothing else is compiled or collected in it.

import { spawn } from 'node:child_process';

/** Lines of its standard output, once it has ended well. Rejects with `otherwise` and its exit code where it has not. */
export function linesOf(program: string, args: readonly string[], otherwise = ''): Promise<string[]> {
  const child = spawn(process.execPath, ['--max-old-space-size=6000', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(text.split('\n'));
      else reject(new Error(`${program} ended with ${code}${otherwise}`));
    });
  });
}
