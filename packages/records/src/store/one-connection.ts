// Gives Kysely the connection of the transaction that the store has begun.

import type { DatabaseConnection, Driver } from 'kysely';

/** A driver over a single connection, whose transactions are not Kysely's to begin or to end. */
export class OneConnection implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('an operation runs in a transaction already: use context.db as it is');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
