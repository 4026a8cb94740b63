// The next ids of spaces within a transaction. The highest id is in the row of the space; whoever holds the
// lock of the space counts on from there until the transaction ends. So ids rise in the order of commits,
// whichever process gives them.

import { type ClientBase, escapeLiteral } from 'pg';
import { randomBits, Uuid7Sequence, uuid7Time } from '../../ids/uuid.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';

const random = randomBits();

/** A row of the table. */
export interface SpaceRow {
  readonly name: string;
  readonly last_id: string;
}

/** The statement that reads the rows of some spaces. */
export function selectSpaces(names: readonly string[]): string {
  const list = names.map(escapeLiteral).join(', ');
  return `SELECT name, last_id FROM space WHERE name IN (${list || 'NULL'});`;
}

/** The ids of one transaction. */
export class TransactionSpaces {
  readonly #client: ClientBase;
  readonly #locks: AdvisoryLocks;
  readonly #sequences = new Map<string, Uuid7Sequence>();
  readonly #used = new Map<string, string>();

  /** `locked` are spaces that are locked already, `rows` their rows. */
  constructor(
    client: ClientBase,
    locks: AdvisoryLocks,
    locked: readonly string[],
    rows: readonly SpaceRow[],
  ) {
    this.#client = client;
    this.#locks = locks;
    const last = new Map(rows.map((row) => [row.name, row.last_id]));
    for (const name of locked) this.#sequences.set(name, new Uuid7Sequence(last.get(name), random));
  }

  /** An id above all earlier ids of the space. */
  async next(space: string, now: number): Promise<string> {
    const sequence = this.#sequences.get(space) ?? (await this.#open(space));
    const id = sequence.next(now);
    this.#used.set(space, id);
    return id;
  }

  /** The statement that writes the last ids; empty without any. */
  saveStatement(): string {
    if (this.#used.size === 0) return '';
    const rows = [...this.#used].map(([name, id]) => `(${escapeLiteral(name)}, ${escapeLiteral(id)})`);
    return (
      `INSERT INTO space (name, last_id) VALUES ${rows.join(', ')} ` +
      'ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id;'
    );
  }

  async #open(space: string): Promise<Uuid7Sequence> {
    await this.#client.query(`SELECT pg_advisory_xact_lock(${this.#locks.numberOf(space)})`);
    const { rows } = await this.#client.query<SpaceRow>(selectSpaces([space]));
    const sequence = new Uuid7Sequence(rows[0]?.last_id, random);
    this.#sequences.set(space, sequence);
    return sequence;
  }
}

/** The newest time in some ids, in ms since 1970; 0 without ids. */
export function newestTime(rows: readonly SpaceRow[]): number {
  return rows.reduce((newest, { last_id }) => Math.max(newest, uuid7Time(last_id)), 0);
}
