// Runs Kysely on node:sqlite, over the connection of the current thread: synchronous calls behind promises,
// integers read as bigint. The store begins and ends transactions, so Kysely's own are refused.

import type { CompiledQuery, DatabaseConnection, Dialect, Kysely, QueryResult } from 'kysely';
import type { SqlValue } from '../../contracts/operation.ts';
import type { Database } from '../../schema/database.ts';
import { loadKysely } from '../../schema/kysely.ts';
import { OneConnection } from '../one-connection.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Kysely over the prepared statements of one connection, with its first use. */
export function lazyKysely(statements: PreparedStatements): () => Kysely<Database> {
  let made: Kysely<Database> | undefined;
  return () => (made ??= kyselyOver(statements));
}

/** Kysely over the prepared statements of one connection. */
export function kyselyOver(statements: PreparedStatements): Kysely<Database> {
  const { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } = loadKysely();
  const connection = new Connection(statements);
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnection(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Database>({ dialect });
}

class Connection implements DatabaseConnection {
  readonly #statements: PreparedStatements;

  constructor(statements: PreparedStatements) {
    this.#statements = statements;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#statements.prepared(sql);
    const values = parameters.map(sqlValue);
    if (!/^\s*(select|values)\b/i.test(sql)) this.#statements.changes += 1;
    if (statement.columns().length > 0) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#statements.prepared(sql).iterate(...parameters.map(sqlValue)))
      yield { rows: [row as Row] };
  }
}

/** SQLite would keep a JS number as a float: whole ones are meant as integers here. */
function sqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value ? 1n : 0n;
    case 'string':
    case 'bigint':
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new TypeError(`SQLite has no value for a parameter of type ${typeof value}`);
  }
}
