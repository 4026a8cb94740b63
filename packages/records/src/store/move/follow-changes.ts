// Follows a source that is written to. Rows that were noted as changed are read on both sides by their keys,
// in one snapshot; those that differ are written and read again. The journal continues where it ends.

import { carryJournal, type JournalProgress, requireSameEnd } from './carry-journal.ts';
import { changedKeys } from './ends/change-watch.ts';
import { type EndRow, type MoveEnd, quoteName } from './ends/move-end.ts';
import { commonColumns, rowText, selectRows } from './merge-tables.ts';
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import type { RowSum } from './row-sum.ts';

/** Keys that are compared together. */
const KEYS = 1_000;

/** The state of a table at the target. */
export interface TableTally {
  rows: number;
  changed: number;
  readonly sum: RowSum;
}

/** The state of a target. */
export interface MoveTally {
  readonly tables: ReadonlyMap<string, TableTally>;
  journal: JournalProgress;
  carried: number;
  /** The balances of accounts that have moved money since the beginning, by number. */
  readonly balances: Map<bigint, bigint>;
}

/** Carries the changes that were noted up to the snapshot of the source. Returns the number of rows that it compared. */
export async function followChanges(source: MoveEnd, target: MoveEnd, tally: MoveTally): Promise<number> {
  const before = tally.carried;
  const { transfers, place, balances } = await carryJournal(source, target, () => {}, tally.journal);
  tally.journal = place;
  tally.carried = before + transfers;
  let looked = transfers;
  for (const table of MOVED_TABLES) {
    const one = new Follower(source, target, table, tally.tables.get(table.name)!);
    // On PostgreSQL a balance may change without its row (ledger/several/accounts.ts).
    const numbers = table.name === 'account' ? [...balances.keys()] : [];
    looked += await one.run(numbers.map((number) => JSON.stringify([String(number)])));
  }
  for (const [number, balance] of balances) tally.balances.set(number, balance);
  return looked;
}

/**
 * Throws Error unless both sides have as many rows as came over up to the snapshot of the source. Time in proportion to all rows,
 * which are counted and not read: no writer should wait for it.
 */
export async function requireCounts(source: MoveEnd, target: MoveEnd, tally: MoveTally): Promise<void> {
  for (const { name, ends, where } of MOVED_TABLES) {
    if (ends === 'add') continue;
    const counted = tally.tables.get(name)!.rows;
    for (const end of [source, target]) {
      const [row] = await end.all(`SELECT count(*) AS n FROM ${quoteName(name)} a WHERE ${where ?? 'true'}`);
      if (row!['n'] !== BigInt(counted))
        throw new Error(
          `${name} has ${row!['n']} rows in ${end.place}, and ${counted} came over: who else writes to the target?`,
        );
    }
  }
}

/**
 * Throws Error unless both sides end with the same transfer, and balances at the target are those after it. REQUIRES: every
 * transfer has its place. Time in proportion to the accounts that have moved money since the beginning.
 */
export async function requireSameMoney(source: MoveEnd, target: MoveEnd, tally: MoveTally): Promise<void> {
  await requireSameEnd(source, target, tally.journal);
  await requireBalances(target, tally.balances);
}

async function requireBalances(target: MoveEnd, balances: ReadonlyMap<bigint, bigint>): Promise<void> {
  const table = MOVED_TABLES.find(({ name }) => name === 'account')!;
  const select = 'SELECT a.number, a.balance FROM account a';
  const numbers = [...balances.keys()].map((number): EndRow => ({ number }));
  for (let at = 0; at < numbers.length; at += KEYS)
    for (const { number, balance } of await target.find(select, table, numbers.slice(at, at + KEYS)))
      if (balances.get(number as bigint) !== balance)
        throw new Error(
          `the account ${number} has a balance of ${balance}, and ${balances.get(number as bigint)} after its last transfer`,
        );
}

class Follower {
  readonly #source: MoveEnd;
  readonly #target: MoveEnd;
  readonly #table: MovedTable;
  readonly #tally: TableTally;
  #columns: readonly string[] = [];
  #integers: boolean[] = [];

  constructor(source: MoveEnd, target: MoveEnd, table: MovedTable, tally: TableTally) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
    this.#tally = tally;
  }

  /** Rows looked at. */
  async run(more: readonly string[]): Promise<number> {
    const [source, target, table] = [this.#source, this.#target, this.#table];
    this.#columns = await commonColumns({ source, target, table });
    this.#integers = [];
    for (const column of table.key) this.#integers.push(await source.isInteger(table.name, column));
    let looked = 0;
    // Rows may exchange unique values: all removals come before all insertions.
    const passes =
      table.unique === true
        ? ([{ remove: true }, { insert: true }] as const)
        : [{ remove: true, insert: true }];
    for (const does of passes) {
      looked = more.length;
      for (let at = 0; at < more.length; at += KEYS) await this.#carry(more.slice(at, at + KEYS), does);
      for await (const keys of changedKeys(source, table.name, KEYS)) {
        looked += keys.length;
        await this.#carry(keys, does);
      }
    }
    return looked;
  }

  async #carry(
    keys: readonly string[],
    does: { readonly remove?: boolean; readonly insert?: boolean },
  ): Promise<void> {
    const { name, key, ends } = this.#table;
    const rows = keys.map((text) => this.#keyOf(text));
    const ours = await this.#read(this.#source, rows);
    const theirs = await this.#read(this.#target, rows);
    const removals: EndRow[] = [];
    const inserts: EndRow[] = [];
    for (const text of new Set([...ours.keys(), ...theirs.keys()])) {
      const [a, b] = [ours.get(text), theirs.get(text)];
      if (b !== undefined && (ends === 'add' || a?.text === b.text)) continue;
      if (b !== undefined && does.remove) {
        removals.push(b.row);
        this.#count(-1, b.text);
      }
      if (a !== undefined && does.insert) inserts.push(a.row);
    }
    if (removals.length + inserts.length === 0) return;
    await this.#target.transaction(async () => {
      await this.#target.remove(name, key, removals);
      await this.#target.insert(name, this.#columns, inserts);
    });
    const now = await this.#read(this.#target, [...removals, ...inserts]);
    for (const row of inserts) {
      const text = rowText(row, this.#columns);
      if (now.get(rowText(row, key))?.text !== text)
        throw new Error(`a row of ${name} differs after it was written: who else writes to the target?`);
      this.#count(1, text);
    }
  }

  #count(rows: 1 | -1, text: string): void {
    this.#tally.rows += rows;
    this.#tally.changed += 1;
    if (rows > 0) this.#tally.sum.add(text);
    else this.#tally.sum.subtract(text);
  }

  /** Rows by the text of their key. */
  async #read(
    end: MoveEnd,
    keys: readonly EndRow[],
  ): Promise<Map<string, { readonly row: EndRow; readonly text: string }>> {
    const select = selectRows(end, this.#table, this.#columns, end === this.#source);
    const rows = await end.find(select, this.#table, keys);
    return new Map(
      rows.map((row) => [rowText(row, this.#table.key), { row, text: rowText(row, this.#columns) }]),
    );
  }

  #keyOf(text: string): EndRow {
    const values = JSON.parse(text) as string[];
    return Object.fromEntries(
      this.#table.key.map((column, i) => [column, this.#integers[i]! ? BigInt(values[i]!) : values[i]!]),
    );
  }
}
