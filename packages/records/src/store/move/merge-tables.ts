// Makes a table of the target equal to that of the source. Both are read in the order of their key, side by
// side; missing rows are inserted, surplus rows removed, differing rows replaced. A run that broke off is
// completed by the next.

import { setImmediate } from 'node:timers/promises';
import { type EndRow, type EndValue, type MoveEnd, nameList, quoteName } from './ends/move-end.ts';
import type { MovedTable } from './moved-tables.ts';
import { RowSum } from './row-sum.ts';

/** Rows that are read or written at a time. */
const ROWS = 2_000;

/** The result of a pass over a table. */
export interface TableMergeResult {
  readonly rows: number;
  readonly inserted: number;
  readonly removed: number;
  /** Of all rows of the source. */
  readonly sum: RowSum;
  /** Of all rows that the target had before this pass. */
  readonly targetSum: RowSum;
}

interface MergeOptions {
  readonly source: MoveEnd;
  readonly target: MoveEnd;
  readonly table: MovedTable;
  /** False only compares. */
  readonly write: boolean;
  readonly onRows: (rows: number) => void;
}

/** Merges one table. Reads both sides once, or twice where values other than the key are unique. */
export async function mergeTable(options: MergeOptions): Promise<TableMergeResult> {
  const { table, write } = options;
  const columns = await commonColumns(options);
  if (!write || table.unique !== true) return await pass(options, columns, { insert: write, remove: write });
  // Rows may exchange unique values: all removals come before all insertions.
  const first = await pass(options, columns, { insert: false, remove: true });
  const second = await pass(options, columns, { insert: true, remove: false });
  return { ...second, removed: first.removed };
}

/** Columns that both have. */
export async function commonColumns({
  source,
  target,
  table,
}: Pick<MergeOptions, 'source' | 'target' | 'table'>): Promise<readonly string[]> {
  const there = new Set(await target.columns(table.name));
  const without = new Set(table.without ?? []);
  return (await source.columns(table.name)).filter((column) => there.has(column) && !without.has(column));
}

async function pass(
  { source, target, table, onRows }: MergeOptions,
  columns: readonly string[],
  does: { readonly insert: boolean; readonly remove: boolean },
): Promise<TableMergeResult> {
  const ours = new Reader(source, table, columns, true);
  const theirs = new Reader(target, table, columns, false);
  const sums = { ours: new RowSum(), theirs: new RowSum() };
  const changes = new Changes(target, table, columns);
  let rows = 0;
  let inserted = 0;
  let removed = 0;
  let [a, b] = [await ours.next(), await theirs.next()];
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareKeys(table.key, a, b);
    const [texta, textb] = [order <= 0 ? rowText(a!, columns) : '', order >= 0 ? rowText(b!, columns) : ''];
    if (order <= 0) {
      sums.ours.add(texta);
      if (++rows % ROWS === 0) onRows(ROWS);
    }
    if (order >= 0 && (order === 0 || table.ends !== 'add')) sums.theirs.add(textb);
    const differs = order !== 0 || texta !== textb;
    if (differs && order >= 0 && table.ends !== 'add') {
      removed++;
      if (does.remove) changes.remove(b!);
    }
    if (differs && order <= 0 && (order < 0 || table.ends !== 'add')) {
      inserted++;
      if (does.insert) changes.insert(a!);
    }
    if (changes.isFull) await changes.write();
    const next: [EndRow | undefined, EndRow | undefined] = [
      order <= 0 ? await ours.next() : a,
      order >= 0 ? await theirs.next() : b,
    ];
    [a, b] = next;
  }
  await changes.write();
  onRows(rows % ROWS);
  return {
    rows,
    inserted,
    removed,
    sum: sums.ours,
    targetSum: sums.theirs,
  };
}

/** Pending changes, written a transaction at a time. */
class Changes {
  readonly #target: MoveEnd;
  readonly #table: MovedTable;
  readonly #columns: readonly string[];
  #inserts: EndRow[] = [];
  #removals: EndRow[] = [];

  constructor(target: MoveEnd, table: MovedTable, columns: readonly string[]) {
    this.#target = target;
    this.#table = table;
    this.#columns = columns;
  }

  insert(row: EndRow): void {
    this.#inserts.push(row);
  }

  remove(row: EndRow): void {
    this.#removals.push(row);
  }

  get isFull(): boolean {
    return this.#inserts.length + this.#removals.length >= ROWS;
  }

  async write(): Promise<void> {
    if (this.#inserts.length + this.#removals.length === 0) return;
    const { name, key } = this.#table;
    await this.#target.transaction(async () => {
      await this.#target.remove(name, key, this.#removals);
      await this.#target.insert(name, this.#columns, this.#inserts);
    });
    this.#inserts = [];
    this.#removals = [];
  }
}

/** Rows of a table one by one, a page at a time. */
class Reader {
  readonly #end: MoveEnd;
  readonly #table: MovedTable;
  readonly #select: string;
  #page: EndRow[] = [];
  #at = 0;
  #last: EndRow | undefined;
  #done = false;

  constructor(end: MoveEnd, table: MovedTable, columns: readonly string[], isSource: boolean) {
    this.#end = end;
    this.#table = table;
    this.#select = selectRows(end, table, columns, isSource);
  }

  async next(): Promise<EndRow | undefined> {
    if (this.#at === this.#page.length && !this.#done) {
      this.#page = await this.#read();
      this.#at = 0;
      this.#done = this.#page.length < ROWS;
      this.#last = this.#page.at(-1);
    }
    return this.#page[this.#at++];
  }

  async #read(): Promise<EndRow[]> {
    // Reads of a file never yield: this lets signals through.
    await setImmediate();
    const { key, where } = this.#table;
    const conditions = where === undefined ? [] : [where];
    const last = this.#last;
    if (last !== undefined) conditions.push(`(${nameList(key)}) > (${key.map(() => '?').join(', ')})`);
    const which = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const values = last === undefined ? [] : key.map((column) => last[column]!);
    return await this.#end.all(`${this.#select}${which} ORDER BY ${nameList(key)} LIMIT ${ROWS}`, ...values);
  }
}

/** Reads columns of a table `a`. */
export function selectRows(
  end: MoveEnd,
  table: MovedTable,
  columns: readonly string[],
  isSource: boolean,
): string {
  const expressions = columns.map((column) => {
    const other = isSource ? end.columnExpression(table.name, column) : undefined;
    return other === undefined ? `a.${quoteName(column)}` : `(${other}) AS ${quoteName(column)}`;
  });
  return `SELECT ${expressions.join(', ')} FROM ${quoteName(table.name)} a`;
}

function compareKeys(key: readonly string[], a: EndRow, b: EndRow): number {
  for (const column of key) {
    const order = compare(a[column]!, b[column]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** The order of both stores: texts by their bytes. */
function compare(a: EndValue, b: EndValue): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  return a === b ? 0 : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** A text of a row; different rows have different texts. */
export function rowText(row: EndRow, columns: readonly string[]): string {
  let text = '';
  for (const column of columns) {
    const value = row[column]!;
    if (value === null) text += 'n;';
    else if (typeof value === 'bigint') text += `i${value};`;
    else if (typeof value === 'string') text += `s${value.length}:${value};`;
    else text += `b${Buffer.from(value).toString('hex')};`;
  }
  return `${text}\n`;
}
