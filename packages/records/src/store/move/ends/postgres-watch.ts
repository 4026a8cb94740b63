// Watches a PostgreSQL while servers write to it. Triggers note changed rows for as long as the move takes.
// Every transaction that writes shares a lock; taking it exclusively waits for all of them.

import { Client } from 'pg';
import type { Fence } from '../../../schema/store-tables.ts';
import { AdvisoryLocks } from '../../postgres/advisory-locks.ts';
import { addressOf, clientConfig } from '../../postgres/connection.ts';
import { schemaOf } from '../../postgres/open-postgres.ts';
import { MOVED_TABLES } from '../moved-tables.ts';
import { CHANGE_TABLE, type ChangeWatch } from './change-watch.ts';
import { type MoveEnd, quoteName } from './move-end.ts';

/** How long it waits for running transactions, in ms: no transaction of a server lasts longer. */
const PATIENCE_MS = 60_000;

/** Opens the watch. REQUIRES: the schema is there. Rejects where another move has it. */
export async function watchPostgres(url: string): Promise<ChangeWatch> {
  const config = clientConfig(url);
  const client = new Client({
    ...config,
    application_name: 'octavo-migrate',
    lock_timeout: PATIENCE_MS,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const schema = await schemaOf(client);
    const locks = new AdvisoryLocks(schema);
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${locks.numberOf('@move')}) AS taken`,
    );
    if (!rows[0]!.taken) throw new Error(`another move has the records of ${addressOf(config)}`);
    return new PostgresWatch(client, schema, locks.lockStatements(undefined));
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

class PostgresWatch implements ChangeWatch {
  readonly #client: Client;
  readonly #schema: string;
  /** The statement that waits for all writers. */
  readonly #alone: string;

  constructor(client: Client, schema: string, alone: string) {
    this.#client = client;
    this.#schema = quoteName(schema);
    this.#alone = alone;
  }

  async begin(): Promise<void> {
    const notes = `${this.#schema}.${CHANGE_TABLE}`;
    await this.end();
    await this.#change(
      `CREATE TABLE ${notes} (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transaction xid8 NOT NULL DEFAULT pg_current_xact_id(), place text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL);
      CREATE INDEX ${CHANGE_TABLE}_key ON ${notes} (place, key);
      CREATE FUNCTION ${this.#schema}.move_note() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE before text; after text;
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          SELECT json_agg(to_jsonb(OLD) ->> name ORDER BY at)::text INTO before FROM unnest(TG_ARGV) WITH ORDINALITY k (name, at);
          INSERT INTO ${notes} (place, key) VALUES (TG_TABLE_NAME, before);
        END IF;
        IF TG_OP <> 'DELETE' THEN
          SELECT json_agg(to_jsonb(NEW) ->> name ORDER BY at)::text INTO after FROM unnest(TG_ARGV) WITH ORDINALITY k (name, at);
          IF after IS DISTINCT FROM before THEN
            INSERT INTO ${notes} (place, key) VALUES (TG_TABLE_NAME, after);
          END IF;
        END IF;
        RETURN NULL;
      END $$;
      ${MOVED_TABLES.map(
        ({ name, key }) =>
          `CREATE TRIGGER move_note AFTER INSERT OR UPDATE OR DELETE ON ${quoteName(name)} FOR EACH ROW ` +
          `EXECUTE FUNCTION ${this.#schema}.move_note(${key.map((column) => `'${column}'`).join(', ')});`,
      ).join('\n')} SELECT 1`,
    );
  }

  /** Numbers do not rise with commits, so the mark is the snapshot itself. */
  async mark(snapshot: MoveEnd): Promise<string> {
    const [row] = await snapshot.all('SELECT pg_current_snapshot()::text AS snapshot');
    return row!['snapshot'] as string;
  }

  async forget(mark: string): Promise<void> {
    await this.#client.query(
      `DELETE FROM ${CHANGE_TABLE} WHERE pg_visible_in_snapshot(transaction, $1::pg_snapshot)`,
      [mark],
    );
  }

  async end(): Promise<void> {
    // One table at a time: a deadlock with a reader of several tables is impossible.
    for (const { name } of MOVED_TABLES)
      await this.#client.query(`DROP TRIGGER IF EXISTS move_note ON ${quoteName(name)}`);
    await this.#client.query(
      `DROP FUNCTION IF EXISTS ${this.#schema}.move_note(); DROP TABLE IF EXISTS ${this.#schema}.${CHANGE_TABLE}`,
    );
  }

  async blockWrites(): Promise<void> {
    await this.#client.query(`BEGIN; ${this.#alone}`);
  }

  async allowWrites(): Promise<void> {
    await this.#client.query('ROLLBACK');
  }

  async commitFence(fence: Fence | undefined): Promise<void> {
    await this.#client.query("DELETE FROM move_fence WHERE name = 'writes'");
    if (fence !== undefined)
      await this.#client.query(
        "INSERT INTO move_fence (name, state, place, event, transfers, time, move) VALUES ('writes', $1, $2, $3, $4, $5, $6)",
        [fence.state, fence.place, fence.event, fence.transfers, fence.time, fence.move],
      );
    await this.#client.query('COMMIT');
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #change(statements: string): Promise<void> {
    try {
      // After all writers, not among them: each locks its tables in an order of its own.
      await this.#client.query(`BEGIN; ${this.#alone} ${statements}; COMMIT`);
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }
}
