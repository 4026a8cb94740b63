// Ends a server by a signal to the outermost process, in every way that starts one: as a supervisor does,
// `kill`, `docker stop`. Afterwards nothing runs, port and lock are free, and what was acknowledged is there.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BIN = join(ROOT, 'packages/server/bin/octavo.js');
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
type Signal = (typeof SIGNALS)[number];

const folder = mkdtempSync(join(tmpdir(), 'octavo-signals-'));

/** A project of somebody who has installed Octavo. */
const project = join(folder, 'project');
mkdirSync(project);
symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
const scripts = { start: 'npx octavo serve', background: 'octavo serve &' };
writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, scripts }));

/** A Node that takes itself for an old one, and so has the server run by the one that the workspace brings along. */
const OLDER = [
  '--import',
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.0.0'})",
];

const WAYS: readonly { name: string; command: readonly string[]; in?: string; isNpx?: true }[] = [
  { name: 'npm start', command: ['npm', 'start', '--'] },
  { name: 'npm run octavo -- serve', command: ['npm', 'run', 'octavo', '--', 'serve'] },
  { name: 'npx octavo serve', command: ['npx', 'octavo', 'serve'], isNpx: true },
  { name: 'npm start of npx octavo serve', command: ['npm', 'start', '--'], in: project, isNpx: true },
  { name: 'octavo.js', command: [process.execPath, BIN, 'serve'] },
  { name: 'octavo.js by an older Node', command: [process.execPath, ...OLDER, BIN, 'serve'] },
];

/** dash stays between npm and what npx runs, and acts on SIGINT only when its child has ended. */
const shell = spawnSync('sh', ['-c', `"${process.execPath}" -p process.ppid`], { encoding: 'utf8' });
const isKeptByShell = Number(shell.stdout) === shell.pid;

/** Without what `npm test` adds: as from a shell. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/.test(name)));

/** Where npm is not watched, nor are there other tools of Linux. */
const skip = process.platform === 'linux' ? false : 'npm is watched on Linux only';

/** Begun and not yet seen to be gone: groups of processes, which are ended with this file. */
const groups = new Set<number>();

function begin(
  command: readonly string[],
  cwd: string = ROOT,
  more: Record<string, string> = {},
): ChildProcess {
  const [program, ...args] = command;
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const child = spawn(program!, args, { cwd, env: { ...env, ...more }, detached: true, stdio: [...stdio] });
  groups.add(child.pid!);
  return child;
}

/** Parent and group of every process that has not ended; one that has may stay in the table for a second. */
function running(): { parent: number; group: number }[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const stat = readFileSync(`/proc/${Number(entry)}/stat`, 'latin1');
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? [] : [{ parent: Number(parent), group: Number(group) }];
    } catch {
      return [];
    }
  });
}

function isThere(group: number): boolean {
  return running().some((one) => one.group === group);
}

async function untilGone({ pid }: ChildProcess, message?: string): Promise<void> {
  await eventually(() => assert.ok(!isThere(pid!), message));
  groups.delete(pid!);
}

function endAll(): void {
  if (skip !== false) return;
  for (const group of groups) if (isThere(group)) process.kill(-group, 'SIGKILL');
}

after(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});
// Groups of their own hear nothing of what ends a run of the tests.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(name, () => {
    endAll();
    process.exit(1);
  });

/** Waits until it listens, and gives its address. */
function listening({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
      const found = /listens on (\S+) /.exec(out);
      if (found !== null) resolve(found[1]!);
    });
    stdout!.once('end', () => reject(new Error(`it does not listen: ${out}`)));
  });
}

async function ask(url: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Writes documents one after the other until the server is gone; gives the ids of those that it has acknowledged. */
async function write(url: string, first: number, onSome: () => void): Promise<string[]> {
  const written: string[] = [];
  for (let id = first; ; id++) {
    const status = await ask(url, 'PUT', `/docs/_doc/${id}`, { id }).then(
      (reply) => reply.status,
      () => undefined,
    );
    if (status !== 201) return written;
    written.push(String(id));
    if (written.length === 5) onSome();
  }
}

async function assertThere(url: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { docs } = (await (await ask(url, 'POST', '/docs/_mget', { ids })).json()) as {
    docs: { _id: string; found: boolean }[];
  };
  assert.deepEqual(
    docs.filter(({ found }) => !found).map(({ _id }) => _id),
    [],
  );
}

async function assertFree(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const got = await new Promise((resolve) => {
    socket.once('connect', () => resolve('taken')).once('error', () => resolve('free'));
  });
  socket.destroy();
  assert.equal(got, 'free');
}

/** It has ended in order, or by the signal, as it is or as a shell tells it. */
function assertSensible([code, signal]: [number | null, NodeJS.Signals | null], sent: Signal): void {
  const ends = ['0', sent, String(128 + constants.signals[sent])];
  assert.ok(ends.includes(String(signal ?? code)), `${sent} ends it with ${signal ?? code}`);
}

for (const { name, command, in: cwd, isNpx } of WAYS)
  test(`${name}: every signal ends the server, and nothing is lost`, { skip }, async () => {
    const data = join(folder, name.replaceAll(/\W/g, '-'));
    const written: string[] = [];
    for (const sent of SIGNALS) {
      const outermost = begin([...command, '--data', data, '--port', '0'], cwd);
      const ended = once(outermost, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      // The lock was free.
      const url = await listening(outermost);
      await assertThere(url, written);
      const some = Promise.withResolvers<void>();
      const writing = write(url, written.length, some.resolve);
      await some.promise;
      outermost.kill(sent);
      const isKept = isNpx === true && sent === 'SIGINT' && isKeptByShell;
      if (isKept) outermost.kill('SIGTERM');
      assertSensible(await ended, isKept ? 'SIGTERM' : sent);
      await untilGone(outermost);
      await eventually(() => assertFree(url));
      written.push(...(await writing));
    }
    const last = begin([process.execPath, BIN, 'serve', '--data', data, '--port', '0']);
    await assertThere(await listening(last), written);
    last.kill('SIGKILL');
    await untilGone(last);
  });

test('a signal that comes while npx starts the server leaves nothing running', { skip }, async () => {
  for (const afterMs of [0, 60, 180]) {
    const outermost = begin([
      'npx',
      'octavo',
      'serve',
      '--data',
      join(folder, `early-${afterMs}`),
      '--port',
      '0',
    ]);
    const ended = once(outermost, 'exit');
    await eventually(() => assert.ok(running().some(({ parent }) => parent === outermost.pid)));
    await sleep(afterMs);
    outermost.kill('SIGTERM');
    await ended;
    await untilGone(outermost, `${afterMs} ms after npm has begun its shell`);
  }
});

for (const [what, command] of [
  ['nohup', ['sh', '-c', 'nohup npx octavo serve &']],
  ['a script of npm', ['npm', 'run', 'background']],
  ['setsid', ['sh', '-c', 'setsid npx octavo serve &']],
] as const)
  test(`a server that ${what} has put in the background outlives what began it`, { skip }, async () => {
    const data = join(folder, what.replaceAll(' ', '-'));
    const outermost = begin(command, project, { OCTAVO_DATA: data, OCTAVO_PORT: '0' });
    const [url] = await Promise.all([listening(outermost), once(outermost, 'exit')]);
    const server = Number(readFileSync(join(data, 'lock.owner'), 'utf8'));
    try {
      // A server that watched what began it would have looked by then.
      await sleep(1_000);
      assert.equal((await ask(url, 'GET', '/')).status, 200);
    } finally {
      process.kill(server, 'SIGTERM');
    }
    await eventually(() => assertFree(url));
    await untilGone(outermost);
  });
