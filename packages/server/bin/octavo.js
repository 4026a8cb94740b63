#!/usr/bin/env node
// Runs the command line with this Node if it is 24 or newer, else with the one that the workspace brings along, else says
// what to do. Plain JavaScript that old versions can read, so that the message is reached. Signals: the older Node passes on
// what it gets and ends as its child ends; npm in front of it is the subject of src/cli/npm-parent.ts.

import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
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
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => tooOld(`The Node at ${node} does not run (${error.message}).`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const passedOn of signals) process.removeAllListeners(passedOn);
    process.kill(process.pid, signal);
  });
}

function tooOld(detail) {
  process.stderr.write(
    `octavo: needs Node ${NEEDED} or newer; this is ${process.version}. ${detail}\n` +
      `Install Node ${NEEDED} (https://nodejs.org, or "npx node@${NEEDED} ${process.argv[1]}"), then try again.\n`,
  );
  process.exit(1);
}

/**
 * Half of a start is compiling: what was compiled once is kept in the caller's cache folder. It is run as it lies there, so
 * it must be a folder that nobody else can write to. NODE_COMPILE_CACHE names another one, NODE_DISABLE_COMPILE_CACHE=1 none.
 */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const named = process.platform === 'win32' ? process.env.LOCALAPPDATA : process.env.XDG_CACHE_HOME;
    const folder = join(named && isAbsolute(named) ? named : join(homedir(), '.cache'), 'octavo', 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn =
      process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o22) === 0);
    if (!found.isDirectory() || !isOwn) return;
    nodeModule.enableCompileCache?.(folder);
    // Threads look here.
    process.env.NODE_COMPILE_CACHE = folder;
  } catch {
    // Without a home, or with one that cannot be written: every start compiles.
  }
}

const major = Number(process.versions.node.split('.')[0]);
if (major >= NEEDED) {
  if (process.env.OCTAVO_REEXEC) {
    // Nobody is left to pass signals on: end as on Ctrl-C, rather than hold port and data as an orphan.
    if (!process.connected) {
      process.stderr.write('octavo: the Node that began this has ended.\n');
      process.exit(1);
    }
    process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  keepCompiled();
  // Installed packages carry built JavaScript; the repository carries the sources, which Node runs as they are.
  const built = join(here, '..', 'dist', 'cli', 'main.js');
  const isBuilt = existsSync(built);
  if (!isBuilt) await import('./relative-imports.js');
  const { main } = isBuilt ? await import('../dist/cli/main.js') : await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = process.env.OCTAVO_REEXEC ? undefined : bundledNode();
  if (node === undefined) tooOld('The npm package "node" is not installed here either.');
  else runWith(node);
}
