// What a source does while its records move: it notes changed rows, blocks writers for a moment, and raises
// its fence. Each watch has a connection of its own, beside the one that reads.

import type { Fence } from '../../../schema/store-tables.ts';
import type { MoveEnd } from './move-end.ts';

/** The table of noted changes: the table and the values of its key, as a JSON list of texts. */
export const CHANGE_TABLE = 'move_change';

/** The writing side of a source. Only one can be open at a time. */
export interface ChangeWatch {
  /** Notes all changes from now on. */
  begin(): Promise<void>;
  /** A mark after the notes that a snapshot of the source contains. */
  mark(snapshot: MoveEnd): Promise<string>;
  /** Removes notes up to a mark: their rows have been carried. */
  forget(mark: string): Promise<void>;
  /** Stops noting, and removes all notes. REQUIRES: no snapshot is open. */
  end(): Promise<void>;
  /** Waits for running writes, and blocks new ones until `allowWrites`, `commitFence`, or the end of this process. */
  blockWrites(): Promise<void>;
  /** Lets writers continue. */
  allowWrites(): Promise<void>;
  /** Lets writers continue behind a fence; undefined removes the fence. Durable when it resolves. */
  commitFence(fence: Fence | undefined): Promise<void>;
  close(): Promise<void>;
}

/** The noted keys of a table in order, some at a time. */
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
