// When is it loaded how records move? When somebody moves them: it brings the drivers of both stores, and a start that
// serves needs neither.

import type { RecordsMove, RecordsMoveOptions } from './move-records.ts';
import type { ReopenOptions } from './reopen-records.ts';

/** See `moveRecords` of move.ts. */
export async function moveRecords(options: RecordsMoveOptions): Promise<RecordsMove> {
  return await (await import('./move-records.ts')).moveRecords(options);
}

/** See `reopenRecords` of reopen.ts. */
export async function reopenRecords(options: ReopenOptions): Promise<boolean> {
  return await (await import('./reopen-records.ts')).reopenRecords(options);
}
