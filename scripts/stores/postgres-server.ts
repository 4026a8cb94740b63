// Starts a real PostgreSQL from Debian's packages: a cluster in a temporary folder, on a Unix socket. As root
// it runs under another user, because initdb refuses root.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const HOME = '/usr/lib/postgresql';
const UID = Number(process.env['OCTAVO_POSTGRES_UID'] ?? 101);

/** A temporary PostgreSQL server. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly socket: string;
  /** The address of its database `postgres`. */
  readonly url: string;
  /** The pid of its first process; undefined while it is killed. */
  pid(): number | undefined;
  /** Kills it like a crash; its data stay. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Starts an empty cluster; undefined if PostgreSQL is not installed. */
export async function startPostgres({
  durable = false,
}: {
  /** True syncs commits; tests do not need that. */
  readonly durable?: boolean;
} = {}): Promise<PostgresServer | undefined> {
  const version = existsSync(HOME) ? readdirSync(HOME).at(-1) : undefined;
  if (version === undefined) return undefined;
  const bin = join(HOME, version, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pg-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, UID, UID);
  const as = { cwd: folder, ...(isRoot ? { uid: UID, gid: UID } : {}) };
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'octavo', '-E', 'UTF8', '--no-sync'], {
    ...as,
    stdio: 'ignore',
  });
  const sync = `fsync=${durable ? 'on' : 'off'}`;
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', sync];
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill(signal);
    await once(ending, 'close');
  };
  const stop = async (): Promise<void> => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async (): Promise<void> => {
    child = spawn(join(bin, 'postgres'), options, { ...as, stdio: 'ignore' });
    await untilAnswering(folder);
  };
  try {
    await start();
  } catch {
    await stop();
    return undefined;
  }
  const url = `postgres://octavo@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return { socket: folder, url, pid: () => child?.pid, kill: () => end('SIGQUIT'), start, stop };
}

async function untilAnswering(socket: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new Client({ host: socket, user: 'octavo', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries === 1_200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
