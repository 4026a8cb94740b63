// Runs a benchmark program in a separate process, so that no other code is compiled or collected in it, and
// returns its output.

import { spawn } from 'node:child_process';

/** The lines of standard output. Rejects with the exit code and `otherwise` if the program fails. */
export function runProgram(program: string, args: readonly string[], otherwise = ''): Promise<string[]> {
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
