// PostgreSQL's advisory locks by name, held until the transaction ends. The number of a lock is 64 bits of a
// hash of its name and the schema, so that two sets of records in one database do not meet.

import { hash } from 'node:crypto';

/** The lock that all writes share, and that an operation without `locks` takes exclusively. */
const EVERYTHING = '@everything';

/** Numbers of locks by name. */
export class AdvisoryLocks {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** The number of a name. */
  numberOf(name: string): bigint {
    const digest = hash('sha256', `octavo\n${this.#schema}\n${name}`, 'buffer');
    return digest.readBigInt64BE(0);
  }

  /** The number that all writes share. */
  get all(): bigint {
    return this.numberOf(EVERYTHING);
  }

  /** Statements that take locks, in the order of their numbers, so that no two transactions wait for each other. */
  lockStatements(names: readonly string[] | undefined): string {
    const { all } = this;
    if (names === undefined) return `SELECT pg_advisory_xact_lock(${all});`;
    const numbers = names.map((name) => this.numberOf(name)).sort((a, b) => (a < b ? -1 : 1));
    return [
      `SELECT pg_advisory_xact_lock_shared(${all});`,
      ...numbers.map((number) => `SELECT pg_advisory_xact_lock(${number});`),
    ].join(' ');
  }
}
