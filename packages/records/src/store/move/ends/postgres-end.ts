// A PostgreSQL as an end of a move, over one connection of its own. Waiting events and transfers get their
// positions first; then a source is read in one snapshot.

import { Client } from 'pg';
import { currentBalance } from '../../../ledger/postgres/account-rows.ts';
import { auditPostgres } from '../../../ledger/postgres/postgres-audit.ts';
import { AdvisoryLocks } from '../../postgres/advisory-locks.ts';
import { addressOf, clientConfig } from '../../postgres/connection.ts';
import { databaseOf } from '../../postgres/dialect.ts';
import { numberEvents } from '../../postgres/event-sequencer.ts';
import { migratePostgres } from '../../postgres/migrate-postgres.ts';
import { channelOf, schemaOf } from '../../postgres/open-postgres.ts';
import { openingReason } from '../../postgres/postgres-errors.ts';
import type { MovedTable } from '../moved-tables.ts';
import { type EndRole, type EndRow, type EndValue, type MoveEnd, nameList, quoteName } from './move-end.ts';

const NAME = 'octavo-migrate';
const OTHERS =
  "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'octavo' AND datname = current_database()";

/** Opens a database, creating the schema of a target where it is missing. Throws Error. */
export async function openPostgresEnd(url: string, role: EndRole): Promise<MoveEnd> {
  const config = clientConfig(url);
  const client = new Client({
    ...config,
    application_name: NAME,
    // No other transaction waits for it, and the other end may be slow.
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    if (role !== 'target') await requireRecords(client);
    const schema = await schemaOf(client);
    const locks = new AdvisoryLocks(schema);
    await migratePostgres(client, locks);
    const { rows } = await client.query<{ n: bigint }>(OTHERS);
    const others = rows[0]!.n > 0n ? `servers are connected to ${addressOf(config)}` : undefined;
    const place = schema === 'public' ? addressOf(config) : `${addressOf(config)}, schema ${schema}`;
    const end = new PostgresEnd(client, {
      place,
      inUse: others,
      channel: channelOf(schema),
      writers: locks.all,
    });
    if (role === 'source') await end.refresh();
    return end;
  } catch (error) {
    await client.end().catch(() => {});
    throw new Error(`PostgreSQL at ${addressOf(config)}${openingReason(error)}`);
  }
}

async function requireRecords(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string | null }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.migration') AS name",
  );
  if (rows[0]!.name === null) throw new Error('there are no records in it');
}

class PostgresEnd implements MoveEnd {
  readonly kind = 'postgres';
  readonly place: string;
  readonly inUse: string | undefined;
  readonly #client: Client;
  readonly #channel: string;
  /** The lock that all writers share. */
  readonly #writers: bigint;
  readonly #types = new Map<string, ReadonlyMap<string, string>>();
  #depth = 0;

  constructor(
    client: Client,
    facts: {
      readonly place: string;
      readonly inUse: string | undefined;
      readonly channel: string;
      readonly writers: bigint;
    },
  ) {
    this.#client = client;
    this.place = facts.place;
    this.inUse = facts.inUse;
    this.#channel = facts.channel;
    this.#writers = facts.writers;
  }

  async all(text: string, ...values: readonly EndValue[]): Promise<EndRow[]> {
    let place = 0;
    const { rows } = await this.#client.query<EndRow>(
      text.replaceAll('?', () => `$${++place}`),
      [...values],
    );
    return rows;
  }

  async columns(table: string): Promise<readonly string[]> {
    return [...(await this.#typesOf(table)).keys()].sort();
  }

  async isInteger(table: string, column: string): Promise<boolean> {
    return (await this.#typesOf(table)).get(column) === 'bigint';
  }

  async find(select: string, { name, key, where }: MovedTable, keys: readonly EndRow[]): Promise<EndRow[]> {
    if (keys.length === 0) return [];
    const lists = await this.#lists(name, key, keys);
    const same = key.map((column) => `a.${quoteName(column)} = k.${quoteName(column)}`).join(' AND ');
    const { rows } = await this.#client.query<EndRow>(
      `${select} JOIN unnest(${lists.text}) AS k (${nameList(key)}) ON ${same} WHERE ${where ?? 'true'}`,
      lists.values,
    );
    return rows;
  }

  /** Waiting transfers get their positions first, with writers locked out: balances are those of the journal. */
  async refresh(isHeld = false): Promise<void> {
    await this.endSnapshot();
    if (!isHeld) await this.#client.query(`SELECT pg_advisory_lock(${this.#writers})`);
    try {
      await numberEvents(this.#client, this.#channel);
      // The first read takes the snapshot.
      await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1');
    } finally {
      if (!isHeld) await this.#client.query(`SELECT pg_advisory_unlock(${this.#writers})`);
    }
  }

  async endSnapshot(): Promise<void> {
    await this.#client.query('ROLLBACK');
  }

  async audit(): Promise<readonly string[]> {
    const { db } = databaseOf(this.#client);
    return (await auditPostgres(db)).findings;
  }

  /** The row of an account that may go negative does not have its balance. */
  columnExpression(table: string, column: string): string | undefined {
    if (table !== 'account' || column !== 'balance') return undefined;
    return currentBalance().compile(databaseOf(this.#client).db).sql;
  }

  async insert(table: string, columns: readonly string[], rows: readonly EndRow[]): Promise<void> {
    if (rows.length === 0) return;
    const lists = await this.#lists(table, columns, rows);
    await this.#client.query(
      `INSERT INTO ${quoteName(table)} (${nameList(columns)}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${lists.text})`,
      lists.values,
    );
  }

  async remove(table: string, key: readonly string[], rows: readonly EndRow[]): Promise<void> {
    if (rows.length === 0) return;
    const lists = await this.#lists(table, key, rows);
    const same = key.map((column) => `t.${quoteName(column)} = k.${quoteName(column)}`).join(' AND ');
    await this.#client.query(
      `DELETE FROM ${quoteName(table)} t USING unnest(${lists.text}) AS k (${nameList(key)}) WHERE ${same}`,
      lists.values,
    );
  }

  async transaction<T>(run: () => Promise<T>): Promise<T> {
    if (this.#depth === 0) await this.#client.query('BEGIN');
    this.#depth += 1;
    try {
      const result = await run();
      this.#depth -= 1;
      if (this.#depth === 0) await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      this.#depth = 0;
      await this.#client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async newestEvent(): Promise<bigint> {
    const [row] = await this.all('SELECT position FROM outbox_head');
    return row!['position'] as bigint;
  }

  async finish(newestEvent: bigint): Promise<void> {
    await this.transaction(async () => {
      await this.#client.query('UPDATE outbox_head SET position = $1', [newestEvent]);
      for (const [table, column] of [
        ['account', 'number'],
        ['entry_space', 'number'],
      ] as const)
        await this.#client.query(
          // Numbers of deleted rows are not given again.
          `SELECT setval(s, greatest(nextval(s), (SELECT max(${column}) FROM ${table}))) FROM pg_get_serial_sequence('${table}', '${column}') AS s`,
        );
    });
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #lists(
    table: string,
    columns: readonly string[],
    rows: readonly EndRow[],
  ): Promise<{ text: string; values: EndValue[][] }> {
    const types = await this.#typesOf(table);
    return {
      text: columns.map((column, i) => `$${i + 1}::${types.get(column)}[]`).join(', '),
      values: columns.map((column) => rows.map((row) => row[column]!)),
    };
  }

  async #typesOf(table: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#types.get(table);
    if (known !== undefined) return known;
    const { rows } = await this.#client.query<{ name: string; type: string }>(
      'SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1',
      [table],
    );
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    this.#types.set(table, types);
    return types;
  }
}
