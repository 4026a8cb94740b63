// Connects to PostgreSQL: pools whose connections read integers as bigint. Messages show the host and
// database of an address, never its password.

import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg';

/** Postgres' own numbers of types: int8, int2, int4 and numeric (sums of int8). */
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23, 1700]);

/** Limits for waiting for a lock and for running a statement, in ms. */
const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** A process that is idle in a transaction for this long loses it, in ms. */
const IDLE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** True for `postgres://…` and `postgresql://…`. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** The configuration of connections. PGHOST, PGUSER, PGPASSWORD … complete the URL. Throws Error. */
export function clientConfig(url: string): ClientConfig {
  // The message of Node would contain the whole address.
  if (!isPostgresUrl(url) || !URL.canParse(url))
    throw new Error('the address of the records is not a URL such as postgres://user@host:5432/database');
  return {
    connectionString: url,
    application_name: 'octavo',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    types: { getTypeParser: parserOf },
  };
}

/** Where that is: `host:5432/database`. */
export function addressOf(config: ClientConfig): string {
  const { host, port, database } = new Client(config);
  return `${host}:${port}/${database}`;
}

/** At most `max` connections, opened on demand. */
export function createPool(config: ClientConfig, max: number): Pool {
  const pool = new Pool({ ...config, max, idleTimeoutMillis: 60_000 });
  // A broken idle connection leaves the pool and is replaced on demand.
  pool.on('error', () => {});
  return pool;
}

/** Runs `use` with a connection; one that it found broken is not used again. */
export async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  const onError = (): void => void (broken = true);
  client.on('error', onError);
  try {
    return await use(client);
  } catch (error) {
    // Whatever it was, the transaction ends; where that fails, the connection goes.
    await client.query('ROLLBACK').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

const parserOf = ((oid: number, format?: 'text' | 'binary') =>
  INTEGERS.has(oid) && format !== 'binary'
    ? integer
    : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/** No value has decimals; sums of integers are numeric. */
function integer(text: string): bigint {
  return BigInt(text);
}
