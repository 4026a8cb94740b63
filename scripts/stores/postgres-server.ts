// How does a real PostgreSQL come beside us? From Debian's packages: a cluster of its own in a temporary folder, on a
// Unix socket, under another user where we are root (initdb refuses that one).

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const HOME = '/usr/lib/postgresql';
const UID = Number(process.env['OCTAVO_POSTGRES_UID'] ?? 101);

/** A server of our own. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly socket: string;
  /** The address of its database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an empty cluster; undefined where PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
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
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const child = spawn(join(bin, 'postgres'), options, { ...as, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100; tries++) {
    const client = new Client({ host: folder, user: 'octavo', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      const url = `postgres://octavo@localhost/postgres?host=${encodeURIComponent(folder)}`;
      return { socket: folder, url, stop };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await stop();
  return undefined;
}
