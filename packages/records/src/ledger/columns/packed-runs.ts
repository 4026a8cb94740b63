// How do many calls move money at once? As they crossed: what is plain goes from their columns to those of the journal.

import type { PackedRun, Plain, WriteContext } from '../../contracts/operation.ts';
import { type Journal, journalOf } from '../sqlite/ledger-buffer.ts';
import { type MovedColumns, packMoved, type RequestColumns, unpackRequests } from './columns.ts';
import { PlainRun } from './plain-run.ts';

/** Calls of `ledger.transfer`. */
export function runTransfers(context: WriteContext, packed: Plain, from: number): PackedRun {
  const moved = move(context, journalOf(context), unpackRequests(packed), from, 1);
  return { done: moved?.length ?? 0, results: moved === undefined ? undefined : packMoved(moved) };
}

/** Calls of `ledger.batch`: each is done in full, or left to be refused. */
export function runBatches(context: WriteContext, packed: Plain, from: number, count: number): PackedRun {
  const journal = journalOf(context);
  const results: Plain[] = [];
  for (let at = from; at < count; at++) {
    const columns = unpackRequests((packed as readonly Plain[])[at]);
    const moved = move(context, journal, columns, 0, columns.length);
    if (moved === undefined) break;
    results.push(packMoved(moved));
  }
  return { done: results.length, results };
}

/** Moves what is plain from `start` on; undefined, and nothing done, where that is less than `least`. */
function move(
  context: WriteContext,
  journal: Journal,
  columns: RequestColumns,
  start: number,
  least: number,
): MovedColumns | undefined {
  const { now, idsNow, emitJournal } = context;
  if (idsNow === undefined || emitJournal === undefined) return undefined;
  const run = new PlainRun(columns, start, (id) => journal.find(id, now));
  const done = run.decide();
  if (done < least || done === 0) return undefined;
  const moved = journal.addRun(run, idsNow('@journal', done), now);
  emitJournal({ first: moved.first, count: done });
  return moved;
}
