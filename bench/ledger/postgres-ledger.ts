// The ledger benchmark on PostgreSQL, with a plain schema as in its manual: lock the two accounts in the
// order of their ids, check, insert the transfer, write both balances. One commit per transfer, every commit
// synced; 64 connections.

import { Pool } from 'pg';
import { startPostgres } from '../../scripts/stores/postgres-server.ts';
import { cpuOfTree } from '../machine/process-cpu.ts';
import { inParallel } from './keep-alive-client.ts';

/** Transfers per second: of wall time, of server CPU, and of server and client CPU together. */
export interface PostgresFigures {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly perCpuSecondWithClient: number;
  readonly drift: bigint;
}

const SCHEMA = `
  CREATE TABLE account (id text PRIMARY KEY, allow_negative boolean NOT NULL, balance bigint NOT NULL,
    CHECK (allow_negative OR balance >= 0));
  CREATE TABLE transfer (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, from_account text NOT NULL,
    to_account text NOT NULL, amount bigint NOT NULL CHECK (amount > 0), created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON transfer (from_account, id);
  CREATE INDEX ON transfer (to_account, id);`;

const LOCK = {
  name: 'lock',
  text: 'SELECT id, balance, allow_negative FROM account WHERE id = ANY($1) ORDER BY id FOR UPDATE',
};
const INSERT = {
  name: 'insert',
  text: 'INSERT INTO transfer (from_account, to_account, amount) VALUES ($1, $2, $3) RETURNING id, created_at',
};
const UPDATE = {
  name: 'update',
  text: 'UPDATE account SET balance = balance + CASE id WHEN $1 THEN -$3::bigint ELSE $3::bigint END WHERE id IN ($1, $2)',
};

/** Undefined if PostgreSQL is not installed. `pair` returns the accounts of the n-th transfer. */
export async function benchPostgres(
  transfers: number,
  connections: number,
  accounts: readonly string[],
  pair: (n: number) => readonly [from: string, to: string],
): Promise<PostgresFigures | undefined> {
  const server = await startPostgres({ durable: true });
  if (server === undefined) return undefined;
  const pool = new Pool({ host: server.socket, user: 'octavo', database: 'postgres', max: connections });
  // Idle connections report an error when the server stops.
  pool.on('error', () => {});
  try {
    await pool.query(SCHEMA);
    for (const id of accounts)
      await pool.query('INSERT INTO account VALUES ($1, $2, $3)', [id, id === 'bank', '0']);
    for (const id of accounts) if (id !== 'bank') await move(pool, 'bank', id, 100_000_000n);
    const one = (n: number): Promise<void> => move(pool, ...pair(n), 1n);
    await inParallel(Math.min(transfers, connections * 4), connections, one);
    const cpu = cpuOfTree(server.pid()!);
    const client = process.cpuUsage();
    const began = performance.now();
    await inParallel(transfers, connections, one);
    const seconds = (performance.now() - began) / 1_000;
    const used = (cpuOfTree(server.pid()!) - cpu) / 1e6;
    const { user, system } = process.cpuUsage(client);
    const { rows } = await pool.query<{ sum: string }>('SELECT sum(balance) AS sum FROM account');
    return {
      perSecond: transfers / seconds,
      perCpuSecond: transfers / Math.max(0.01, used),
      perCpuSecondWithClient: transfers / Math.max(0.01, used + (user + system) / 1e6),
      drift: BigInt(rows[0]!.sum),
    };
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function move(pool: Pool, from: string, to: string, amount: bigint): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string; balance: string; allow_negative: boolean }>({
      ...LOCK,
      values: [[from, to]],
    });
    const payer = rows.find(({ id }) => id === from);
    if (rows.length !== 2 || payer === undefined) throw new Error('there is no such account');
    if (!payer.allow_negative && BigInt(payer.balance) < amount) throw new Error('not enough funds');
    await client.query({ ...INSERT, values: [from, to, String(amount)] });
    await client.query({ ...UPDATE, values: [from, to, String(amount)] });
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
