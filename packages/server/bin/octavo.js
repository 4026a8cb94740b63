#!/usr/bin/env node
// Which Node runs the command line? This one if it is 24 or newer, else the one that the workspace brings along,
// else none: then say what to do. Plain JavaScript that old versions can read, so that the message is reached.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const here = dirname(fileURLToPath(import.meta.url));

/** The binary of the npm package `node`, in the nearest `node_modules` above. */
function bundledNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = here; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', 'node', 'bin', name);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Hands everything over to another Node and ends as it ends. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel carries nothing: it closes when this process is killed, and the other one hears of it.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, OCTAVO_REEXEC: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => tooOld(`The Node at ${node} does not run (${error.message}).`));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

function tooOld(detail) {
  process.stderr.write(
    `octavo: needs Node ${NEEDED} or newer; this is ${process.version}. ${detail}\n` +
      `Install Node ${NEEDED} (https://nodejs.org, or "npx node@${NEEDED} ${process.argv[1]}"), then try again.\n`,
  );
  process.exit(1);
}

const major = Number(process.versions.node.split('.')[0]);
if (major >= NEEDED) {
  if (process.env.OCTAVO_REEXEC && process.channel) {
    // Nobody is left to pass signals on: end as on Ctrl-C, rather than hold port and data as an orphan.
    process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  // Half of a start is compiling: what was compiled once is kept in the system's folder for temporary files.
  nodeModule.enableCompileCache?.();
  // Installed packages carry built JavaScript; the repository carries the sources, which Node runs as they are.
  const built = join(here, '..', 'dist', 'cli', 'main.js');
  const { main } = existsSync(built)
    ? await import('../dist/cli/main.js')
    : await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = process.env.OCTAVO_REEXEC ? undefined : bundledNode();
  if (node === undefined) tooOld('The npm package "node" is not installed here either.');
  else runWith(node);
}
