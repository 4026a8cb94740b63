// Runs Kysely on the one connection of a transaction. The store begins and ends the transaction itself, so
// Kysely's own transactions are refused.

import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { ClientBase } from 'pg';
import type { Database } from '../../schema/database.ts';
import { OneConnection } from '../one-connection.ts';

/** Statements that connections keep prepared; texts with lists of varying length must not pile up. */
const MOST_PREPARED = 256;

/** The commands of PostgreSQL that change rows. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Kysely over one connection. */
interface ClientDatabase {
  readonly db: Kysely<Database>;
  /** Statements so far that were not plain reads. */
  changes(): number;
}

const databases = new WeakMap<ClientBase, ClientDatabase>();

/** The same object for the same connection. */
export function databaseOf(client: ClientBase): ClientDatabase {
  let database = databases.get(client);
  if (database === undefined) {
    const connection = new ClientConnection(client);
    database = { db: kyselyOver(connection, PostgresQueryCompiler), changes: () => connection.changes };
    databases.set(client, database);
  }
  return database;
}

/** The same for the steps of the schema: every text is compared by its bytes, as SQLite does. */
export function schemaDatabaseOf(client: ClientBase): Kysely<Database> {
  return kyselyOver(new ClientConnection(client), SchemaCompiler);
}

class SchemaCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

function kyselyOver(
  connection: ClientConnection,
  Compiler: new () => PostgresQueryCompiler,
): Kysely<Database> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new OneConnection(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
  return new Kysely<Database>({ dialect });
}

class ClientConnection implements DatabaseConnection {
  readonly #client: ClientBase;
  changes = 0;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (!/^\s*select\b/i.test(sql)) this.changes += 1;
    const name = nameOf(sql);
    const { command, rowCount, rows } = await this.#client.query({
      text: sql,
      values: parameters as unknown[],
      ...(name === undefined ? {} : { name }),
    });
    if (!CHANGES.has(command)) return { rows: rows as Row[] };
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to give.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('an operation reads what it needs at once');
  }
}

const names = new Map<string, string>();

/** A named statement stays prepared. The first texts get names: the hot ones are among them. */
function nameOf(text: string): string | undefined {
  const found = names.get(text);
  if (found !== undefined || names.size >= MOST_PREPARED || text.length > 4_000) return found;
  const name = hash('sha256', text, 'base64url').slice(0, 24);
  names.set(text, name);
  return name;
}
