// How do records move from a data directory to a PostgreSQL and back? One pass reads the source in one snapshot and brings
// the target to it; a second one only compares, and both sides are hashed on the way. While a server has the source open a
// pass is a beginning: what is written meanwhile comes with the next, and the last is made when the server is stopped.

import type { End } from './end.ts';
import { carryJournal, journalHead, lengthOf, mark, requireSameJournal } from './journal.ts';
import { type Merged, merge } from './merge.ts';
import { openPostgresEnd } from './postgres-end.ts';
import { openSqliteEnd } from './sqlite-end.ts';
import { MOVED_TABLES } from './tables.ts';

/** What was found in a table when it was compared. */
export interface TableReport {
  readonly table: string;
  readonly rows: number;
  /** Rows that this pass has inserted or removed. */
  readonly changed: number;
  /** SHA-256 of its rows in the order of their key, in hex. */
  readonly digest: string;
}

/** What came of a pass. */
export interface RecordsMove {
  readonly tables: readonly TableReport[];
  /** Transfers in the journal, those that this pass has carried, and the hash of the last in hex. */
  readonly journal: { readonly transfers: number; readonly carried: number; readonly head: string };
  /** Who has the source open, in words: then it is not the last pass. */
  readonly inUse: string | undefined;
  /** The same of the target: nobody should. */
  readonly targetInUse: string | undefined;
}

export interface RecordsMoveOptions {
  /** A data directory or `postgres://…`. */
  readonly from: string;
  readonly to: string;
  /** False refuses a target that has anything. */
  readonly mayHold: boolean;
  /** Told of rows as they are read, and of all there are. */
  readonly onRows?: (rows: number, total: number) => void;
  /** Called before the first change at the target. */
  readonly onBegin?: () => void;
}

/**
 * Brings the records of one place to another. What the target has that the source has not is removed: REQUIRES that
 * nothing but this writes to it. Rejects with Error where a place cannot be used, where the target has newer records, and
 * where a table differs after all.
 */
export async function moveRecords(options: RecordsMoveOptions): Promise<RecordsMove> {
  const source = await openEnd(options.from, 'source');
  try {
    const target = await openEnd(options.to, 'target');
    try {
      return await move(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openEnd(place: string, role: 'source' | 'target'): Promise<End> {
  return /^postgres(?:ql)?:/i.test(place) ? openPostgresEnd(place, role) : openSqliteEnd(place, role);
}

async function move(source: End, target: End, options: RecordsMoveOptions): Promise<RecordsMove> {
  if (!options.mayHold && !(await isEmpty(target))) throw new Error('the target has records already');
  const [newest, newestThere] = [await source.newestEvent(), await target.newestEvent()];
  if (newestThere > newest)
    throw new Error(
      `the target has newer records (event ${newestThere}, the source is at ${newest}): nothing was changed. Is the direction right?`,
    );
  await requireSameJournal(source, target);
  options.onBegin?.();
  const total = await rowsOf(source);
  let seen = 0;
  const onRows = (rows: number): void => options.onRows?.((seen += rows), 2 * total);
  const tables: TableReport[] = [];
  const passes = new Map<string, Merged>();
  for (const table of MOVED_TABLES)
    passes.set(table.name, await merge({ source, target, table, write: true, onRows }));
  const carried = await carryJournal(source, target, onRows);
  await target.finish(newest);
  for (const table of MOVED_TABLES) {
    const pass = passes.get(table.name)!;
    const changed = pass.inserted + pass.removed;
    // Where nothing was written the first look has compared.
    const found = changed === 0 ? pass : await merge({ source, target, table, write: false, onRows });
    if (changed === 0) onRows(pass.rows);
    const differing = found.inserted + found.removed;
    if (differing > 0 || (table.ends !== 'add' && found.digest !== found.targetDigest))
      throw new Error(
        `${differing} rows of ${table.name} differ after they were written: who else writes to the target?`,
      );
    tables.push({ table: table.name, rows: found.rows, changed, digest: found.digest });
  }
  const [head, headThere] = [await journalHead(source), await journalHead(target)];
  if (head.hash !== headThere.hash)
    throw new Error('the journals end differently: who else writes to the target?');
  // Ids of several processes do not rise with positions; those of one do.
  if (source.kind === 'postgres' && target.kind === 'sqlite') await mark(target, 'moved', head.position);
  return {
    tables,
    journal: { transfers: Number(head.position), carried, head: head.hash },
    inUse: source.inUse,
    targetInUse: target.inUse,
  };
}

async function isEmpty(target: End): Promise<boolean> {
  // A server that was started once has made its secrets.
  for (const { name, ends } of MOVED_TABLES)
    if (ends !== 'add' && (await target.all(`SELECT 1 AS one FROM "${name}" LIMIT 1`)).length > 0)
      return false;
  return true;
}

async function rowsOf(end: End): Promise<number> {
  let total = 0;
  for (const { name } of MOVED_TABLES) {
    const [row] = await end.all(`SELECT count(*) AS n FROM "${name}"`);
    total += Number(row!['n']);
  }
  return total + Number(await lengthOf(end));
}
