// Loads the code of moves with its first use: it brings the drivers of both stores, and a start that serves needs neither.

import type { ReopenOptions } from './abandon-move.ts';
import type { RecordsMove, RecordsMoveOptions } from './carry-records.ts';

/** See `carryRecords`. */
export async function moveRecords(options: RecordsMoveOptions): Promise<RecordsMove> {
  return await (await import('./carry-records.ts')).carryRecords(options);
}

/** See `abandonMove`. */
export async function reopenRecords(options: ReopenOptions): Promise<boolean> {
  return await (await import('./abandon-move.ts')).abandonMove(options);
}
