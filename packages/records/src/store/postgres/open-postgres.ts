// Opens records on PostgreSQL: migrates the schema, then opens connections for writes, for reads, and for the
// event pump.

import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Records } from '../../contracts/operation.ts';
import { IDENTITY, newIdentity } from '../records-state.ts';
import { AdvisoryLocks } from './advisory-locks.ts';
import { addressOf, clientConfig, createPool, withClient } from './connection.ts';
import { EventPump } from './event-pump.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { openingReason } from './postgres-errors.ts';
import { PostgresRecords } from './postgres-records.ts';
import { PostgresWriter } from './postgres-writer.ts';

/** Connections of a process besides that of the event pump. */
const WRITERS = 10;
const READERS = 8;

const ADD_IDENTITY = `INSERT INTO secret (name, value) SELECT '${IDENTITY}', $1::bytea WHERE NOT EXISTS (SELECT 1 FROM move_fence WHERE name = 'writes') ON CONFLICT DO NOTHING`;

/** The oldest version that is supported. */
const OLDEST = 150_000;

/** Opens the records of a database, creating what is missing. Rejects where it cannot be reached or is too new or old. */
export async function openPostgres(url: string, options: { readonly mostWaiting: number }): Promise<Records> {
  const config = clientConfig(url);
  const writers = createPool(config, WRITERS);
  const readers = createPool(config, READERS);
  const end = async (): Promise<void> => {
    await Promise.all([writers.end(), readers.end()]);
  };
  try {
    const schema = await withClient(writers, async (client) => {
      const name = await schemaOf(client);
      await migratePostgres(client, new AdvisoryLocks(name));
      // Records that are being moved here bring theirs.
      await client.query(ADD_IDENTITY, [newIdentity()]);
      return name;
    });
    const locks = new AdvisoryLocks(schema);
    const channel = channelOf(schema);
    let records: PostgresRecords | undefined;
    let last = 0n;
    const pump = new EventPump(config, channel, (position) => {
      last = position > last ? position : last;
      records?.heard(position);
    });
    await pump.open();
    const writer = new PostgresWriter(writers, locks, () => pump.settle());
    records = new PostgresRecords({ writer, readers, pump, end, mostWaiting: options.mostWaiting });
    records.heard(last);
    return records;
  } catch (error) {
    await end();
    throw new Error(`PostgreSQL at ${addressOf(config)}${openingReason(error)}`);
  }
}

/** The channel that processes with the same records listen on. */
export function channelOf(schema: string): string {
  return `octavo_${hash('sha256', schema, 'hex').slice(0, 16)}`;
}

/** The schema of the search_path; creates it where it is named there and missing. Throws Error. */
export async function schemaOf(client: ClientBase): Promise<string> {
  const ask = async (): Promise<Facts> => (await client.query<Facts>(FACTS)).rows[0]!;
  const { schema, version, encoding, path } = await ask();
  if (Number(version) < OLDEST) throw new Error('PostgreSQL 15 or newer is needed');
  if (encoding !== 'UTF8') throw new Error(`the database must have the encoding UTF8, not ${encoding}`);
  if (schema !== null) return schema;
  if (!/^[a-z_][a-z0-9_]*$/.test(path)) throw new Error(`there is no schema in its search_path, ${path}`);
  // Two at a time: the second finds it.
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(0); CREATE SCHEMA IF NOT EXISTS ${path}; COMMIT`);
  return (await ask()).schema ?? path;
}

interface Facts {
  readonly schema: string | null;
  readonly version: string;
  readonly encoding: string;
  readonly path: string;
}

const FACTS =
  "SELECT current_schema() AS schema, current_setting('server_version_num') AS version, " +
  "current_setting('server_encoding') AS encoding, current_setting('search_path') AS path";
