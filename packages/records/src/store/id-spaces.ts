// The next id of each space: one sequence for a space, cached in memory and written with the group that used
// it.

import { randomBits, Uuid7Sequence } from '../ids/uuid.ts';
import type { PreparedStatements } from './sqlite/prepared-statements.ts';

/** Sequences that are cached between groups. */
const MOST = 10_000;

const READ = 'SELECT last_id FROM space WHERE name = ?';
const WRITE =
  'INSERT INTO space (name, last_id) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id';

/** The ids of the writing connection. */
export class IdSpaces {
  readonly #statements: PreparedStatements;
  readonly #random = randomBits();
  readonly #sequences = new Map<string, Uuid7Sequence>();
  /** The last id of each space that this group has used. */
  readonly #used = new Map<string, string>();

  constructor(statements: PreparedStatements) {
    this.#statements = statements;
  }

  /** An id above all earlier ids of the space. Ids of operations that were rolled back are not given again. */
  next(space: string, now: number): string {
    const id = this.#sequence(space).next(now);
    this.#used.set(space, id);
    return id;
  }

  #sequence(space: string): Uuid7Sequence {
    let sequence = this.#sequences.get(space);
    if (sequence === undefined) {
      const row = this.#statements.get<{ last_id: string }>(READ, space);
      sequence = new Uuid7Sequence(row?.last_id, this.#random);
      this.#sequences.set(space, sequence);
    }
    return sequence;
  }

  /** Writes the last ids of the group, inside its transaction. */
  save(): void {
    for (const [space, id] of this.#used) this.#statements.run(WRITE, space, id);
    this.#used.clear();
  }

  /** After the group: bounds the memory. A dropped sequence is read again from its row. */
  trim(): void {
    if (this.#sequences.size > MOST) this.#sequences.clear();
  }
}
