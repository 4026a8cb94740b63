// Moves records from a data directory to a PostgreSQL and back. One pass reads the source in one snapshot and
// makes the target equal; a second pass compares, and both sides are hashed on the way. While a server writes
// to the source a pass is a beginning: the changes come with the next pass, or are followed up to a cutover
// (cutover.ts).

import { IDENTITY } from '../records-state.ts';
import {
  carryJournal,
  journalLength,
  requireSameEnd,
  requireSameJournal,
  setJournalMark,
} from './carry-journal.ts';
import { cutOver, type MovePhase } from './cutover.ts';
import type { MoveEnd } from './ends/move-end.ts';
import { dropFence, forgetMove, raiseFence, requireComplete, requireNotGone } from './fences.ts';
import type { MoveTally, TableTally } from './follow-changes.ts';
import { mergeTable, type TableMergeResult } from './merge-tables.ts';
import { MOVED_TABLES } from './moved-tables.ts';
import { openEnd, openWatch } from './open-end.ts';

/** The comparison of a table. */
export interface TableReport {
  readonly table: string;
  readonly rows: number;
  /** Rows that were inserted or removed. */
  readonly changed: number;
  /** SHA-256 of its rows, added up modulo 2^256, in hex. */
  readonly digest: string;
}

/** The result of a move. */
export interface RecordsMove {
  readonly tables: readonly TableReport[];
  /** Transfers in the journal, those that were carried, and the hash of the last in hex. */
  readonly journal: { readonly transfers: number; readonly carried: number; readonly head: string };
  /** The openers of the source, in words: without a cutover this was not the last pass. */
  readonly inUse: string | undefined;
  /** The openers of the target: there should be none. */
  readonly targetInUse: string | undefined;
  /** How long writers waited before they were refused at the source, in ms; undefined without a cutover. */
  readonly stoodStill: number | undefined;
}

export interface RecordsMoveOptions {
  /** A data directory or `postgres://…`. */
  readonly from: string;
  readonly to: string;
  /** False refuses a target that is not empty. */
  readonly mayHold: boolean;
  /** True follows writes, and ends with a source that refuses them. @default false */
  readonly cutover?: boolean;
  /** Called with the rows read so far, and their total. */
  readonly onRows?: (rows: number, total: number) => void;
  /** Called before the first change at the target. */
  readonly onBegin?: () => void;
  /** Called with the steps of a cutover; an exception abandons the move. */
  readonly onPhase?: (phase: MovePhase) => void;
}

/**
 * Carries the records of one place to another, and removes what only the target has. With a cutover everything acknowledged at
 * the source is at the target, and nothing refused there is. REQUIRES: nothing else writes to the target. Rejects with Error
 * where a place cannot be used, where the source is incomplete itself, where the target has newer records, and where a table
 * differs after all; then the source takes writes as before.
 */
export async function carryRecords(options: RecordsMoveOptions): Promise<RecordsMove> {
  return await withEnds(options, async (source, target) => {
    const copy = (): Promise<MoveTally> => carryAll(source, target, options);
    if (options.cutover !== true) {
      const tally = await copy();
      // Nothing was written meanwhile: this was the last pass, and a fence of an earlier move would be in the way.
      if (source.inUse === undefined) await dropFence(target);
      return report(source, target, tally, undefined);
    }
    await requireNotGone(source, target);
    const watch = await openWatch(options.from);
    try {
      const { tally, stoodStill } = await cutOver({ source, target, watch, copy, onPhase: options.onPhase });
      return report(source, target, tally, stoodStill);
    } finally {
      await watch.close();
    }
  });
}

/** Opens both ends for the time of a move. No target is created for a source that cannot be read. */
async function withEnds<T>(
  places: { readonly from: string; readonly to: string },
  use: (source: MoveEnd, target: MoveEnd) => Promise<T>,
): Promise<T> {
  const source = await openEnd(places.from, 'source');
  try {
    await requireComplete(source);
    const target = await openEnd(places.to, 'target');
    try {
      return await use(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A complete pass: afterwards everything in the snapshot is at the target and has been compared. */
async function carryAll(source: MoveEnd, target: MoveEnd, options: RecordsMoveOptions): Promise<MoveTally> {
  if (!options.mayHold && !(await isEmpty(target))) throw new Error('the target has records already');
  const [newest, newestThere] = [await source.newestEvent(), await target.newestEvent()];
  if (newestThere > newest)
    throw new Error(
      `the target has newer records (event ${newestThere}, the source is at ${newest}): nothing was changed. Is the direction right?`,
    );
  await requireSameJournal(source, target);
  options.onBegin?.();
  // Records keep their identity; that of a server which was started on nothing is replaced.
  if (await isEmpty(target)) await target.remove('secret', ['name'], [{ name: IDENTITY }]);
  if (options.cutover === true) await raiseFence(target, source);
  else await forgetMove(target, source);
  const total = await rowsOf(source);
  let seen = 0;
  const onRows = (rows: number): void => options.onRows?.((seen += rows), 2 * total);
  const tables = new Map<string, TableTally>();
  const passes = new Map<string, TableMergeResult>();
  for (const table of MOVED_TABLES)
    passes.set(table.name, await mergeTable({ source, target, table, write: true, onRows }));
  const { place, transfers } = await carryJournal(source, target, onRows);
  await target.finish(newest);
  for (const table of MOVED_TABLES) {
    const pass = passes.get(table.name)!;
    const changed = pass.inserted + pass.removed;
    // Where nothing was written, the first pass was the comparison.
    const found = changed === 0 ? pass : await mergeTable({ source, target, table, write: false, onRows });
    if (changed === 0) onRows(pass.rows);
    const differing = found.inserted + found.removed;
    if (differing > 0 || (table.ends !== 'add' && !found.sum.equals(found.targetSum)))
      throw new Error(
        `${differing} rows of ${table.name} differ after they were written: who else writes to the target?`,
      );
    tables.set(table.name, { rows: found.rows, changed, sum: found.sum });
  }
  await requireSameEnd(source, target, place);
  // Ids of several processes do not rise with positions; those of one do.
  if (source.kind === 'postgres' && target.kind === 'sqlite')
    await setJournalMark(target, 'moved', place.position);
  const findings = await target.audit();
  if (findings.length > 0)
    throw new Error(`the records arrived, but the target is not sound: ${findings[0]}`);
  return { tables, journal: place, carried: transfers, balances: new Map() };
}

function report(
  source: MoveEnd,
  target: MoveEnd,
  tally: MoveTally,
  stoodStill: number | undefined,
): RecordsMove {
  const { journal, carried } = tally;
  return {
    tables: [...tally.tables].map(([table, { rows, changed, sum }]) => ({
      table,
      rows,
      changed,
      digest: sum.hex(),
    })),
    journal: { transfers: Number(journal.position), carried, head: journal.asRows },
    inUse: source.inUse,
    targetInUse: target.inUse,
    stoodStill,
  };
}

async function isEmpty(target: MoveEnd): Promise<boolean> {
  // A server that was started once has stored secrets.
  for (const { name, ends } of MOVED_TABLES)
    if (ends !== 'add' && (await target.all(`SELECT 1 AS one FROM "${name}" LIMIT 1`)).length > 0)
      return false;
  return true;
}

async function rowsOf(end: MoveEnd): Promise<number> {
  let total = 0;
  for (const { name } of MOVED_TABLES) {
    const [row] = await end.all(`SELECT count(*) AS n FROM "${name}"`);
    total += Number(row!['n']);
  }
  return total + Number(await journalLength(end));
}
