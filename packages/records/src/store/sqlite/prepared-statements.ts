// Prepared statements by their text, in the order of use, so that hot ones are compiled once.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlValue, Statements } from '../../contracts/operation.ts';

/** Statements of a connection at most; texts with lists of varying length must not pile up. */
const MOST = 512;

/** Prepared statements of one connection. Counts statements that may have changed rows, to detect broken promises. */
export class PreparedStatements implements Statements {
  readonly #database: DatabaseSync;
  readonly #byText = new Map<string, StatementSync>();
  /** Statements so far that were not plain reads. */
  changes = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get<Row>(text: string, ...values: SqlValue[]): Row | undefined {
    return this.prepared(text).get(...values) as Row | undefined;
  }

  all<Row>(text: string, ...values: SqlValue[]): Row[] {
    return this.prepared(text).all(...values) as Row[];
  }

  run(text: string, ...values: SqlValue[]): number {
    this.changes += 1;
    return Number(this.prepared(text).run(...values).changes);
  }

  /** The statement, compiled at its first use. */
  prepared(text: string): StatementSync {
    const found = this.#byText.get(text);
    if (found !== undefined) return found;
    const statement = this.#database.prepare(text);
    statement.setReadBigInts(true);
    if (this.#byText.size >= MOST) {
      const oldest = this.#byText.keys().next();
      if (oldest.done !== true) this.#byText.delete(oldest.value);
    }
    this.#byText.set(text, statement);
    return statement;
  }
}
