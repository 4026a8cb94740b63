// What a source does while its records move: it notes changed rows, blocks writers for a moment, and raises
// its fence. Each watch has a connection of its own, beside the one that reads.

import type { Fence } from '../../../schema/store-tables.ts';
import type { MoveEnd } from './move-end.ts';

/** Where changed rows are noted: the table and the values of its key, as a JSON list of texts. */
export const CHANGE_TABLE = 'move_change';

/** The writing side of a source. One at a time: who opens it keeps others out until it is closed. */
export interface ChangeWatch {
  /** Notes all that changes from now on. */
  begin(): Promise<void>;
  /** Up to where a snapshot of the source sees the notes. */
  mark(snapshot: MoveEnd): Promise<string>;
  /** Forgets notes up to a mark: what they name has come over. */
  forget(mark: string): Promise<void>;
  /** Notes nothing any more, and forgets. REQUIRES: no snapshot is open. */
  end(): Promise<void>;
  /** Waits for what is being written; nothing begins after it until `leave` or `release`, or until this process ends. */
  blockWrites(): Promise<void>;
  /** Goes on as if nothing had been. */
  allowWrites(): Promise<void>;
  /** Ends the hold with a fence, or without one where there was one. Durable when it resolves. */
  commitFence(fence: Fence | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Keys of a table that are noted, some at a time, in order. */
export async function* changedKeys(
  snapshot: MoveEnd,
  table: string,
  most: number,
): AsyncGenerator<readonly string[]> {
  for (let after = ''; ; ) {
    const rows = await snapshot.all(
      `SELECT DISTINCT key FROM ${CHANGE_TABLE} WHERE place = ? AND key > ? ORDER BY key LIMIT ${most}`,
      table,
      after,
    );
    if (rows.length === 0) return;
    const keys = rows.map((row) => row['key'] as string);
    yield keys;
    after = keys.at(-1)!;
  }
}
