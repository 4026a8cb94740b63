// The reading side of the embedded store: a connection of its own, and one transaction for each read, so that all its statements
// see the same commit. Writes go on meanwhile.

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { AnyOperation, ReadContext, ReadOperation } from '../../contracts/operation.ts';
import { packError } from '../../contracts/store-errors.ts';
import type { Database } from '../../schema/database.ts';
import { lazyKysely } from '../sqlite/dialect.ts';
import { PreparedStatements } from '../sqlite/prepared-statements.ts';
import type { ThreadAnswer, ThreadAnswers, ThreadCall } from './messages.ts';

/** The reading side of the store, inside its thread. */
export class RecordsReader {
  readonly #database: DatabaseSync;
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #statements: PreparedStatements;
  readonly #db: () => Kysely<Database>;

  constructor(database: DatabaseSync, operations: ReadonlyMap<string, AnyOperation>) {
    this.#database = database;
    this.#operations = operations;
    this.#statements = new PreparedStatements(database);
    this.#db = lazyKysely(this.#statements);
  }

  /** Runs the calls one after the other. Never throws: failures are in the answers. */
  async run(calls: readonly ThreadCall[]): Promise<ThreadAnswers> {
    const answers: ThreadAnswer[] = [];
    for (const call of calls) answers.push(await this.#answer(call));
    return { answers, lastEvent: undefined };
  }

  async #answer({ id, name, args }: ThreadCall): Promise<ThreadAnswer> {
    const operation = this.#operations.get(name);
    try {
      if (operation?.kind !== 'read') throw new Error(`there is no read operation ${name}`);
      const { run } = operation as ReadOperation<unknown, unknown>;
      this.#database.exec('BEGIN');
      const result = await run(this.#context(), args);
      return { id, thrown: undefined, result, replayed: false };
    } catch (error) {
      return { id, thrown: packError(error), result: undefined, replayed: false };
    } finally {
      if (this.#database.isTransaction) this.#database.exec('COMMIT');
    }
  }

  #context(): ReadContext {
    const db = this.#db;
    return {
      get db() {
        return db();
      },
      sql: this.#statements,
      now: Date.now(),
    };
  }
}
