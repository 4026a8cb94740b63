// How do the records move beside the documents? Between a data directory and a PostgreSQL: in one go with a cutover, while
// servers write to them, or a pass at a time, the last one when they are stopped.

import type { MovePhase, RecordsMove } from '@octavo/records';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import type { Interruption } from '../process/interrupt.ts';
import { schemeOf } from './endpoint.ts';
import type { MoveStateFile } from './move-state.ts';

/** Two places that hold records: a data directory, or `postgres://…`, which may hold a password and is never told. */
export interface RecordsEnds {
  readonly from: string;
  readonly to: string;
}

/** What the flags say; a side that is not named is the data directory of the documents. */
export function recordsEnds(flags: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly recordsFrom?: string | undefined;
  readonly recordsTo?: string | undefined;
}): RecordsEnds | undefined {
  if (flags.recordsFrom === undefined && flags.recordsTo === undefined) return undefined;
  const side = (role: 'from' | 'to', own: string | undefined, documents: string | undefined): string => {
    const endpoint = own ?? documents;
    const scheme = endpoint === undefined ? undefined : schemeOf(endpoint);
    if (endpoint !== undefined && (scheme === undefined || /^postgres(ql)?$/i.test(scheme))) return endpoint;
    const what = scheme === undefined ? 'it is missing' : `no records are at ${scheme}://`;
    throw new Failure(
      `--records-${role}: ${what}; it takes a data directory or postgres://user@host:5432/database.`,
      EXIT.usage,
    );
  };
  const ends = {
    from: side('from', flags.recordsFrom, flags.from),
    to: side('to', flags.recordsTo, flags.to),
  };
  if (ends.from === ends.to)
    throw new Failure('--records-from and --records-to are the same place.', EXIT.usage);
  return ends;
}

/** The place without name and password. */
export function recordsName(endpoint: string): string {
  if (!/^postgres(ql)?:/i.test(endpoint) || !URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  url.username = '';
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

export interface RecordsMoveOptions {
  readonly ends: RecordsEnds;
  readonly file: MoveStateFile;
  readonly overwrite: boolean;
  readonly cutover: boolean;
  readonly quiet: boolean | undefined;
  readonly interrupted: Interruption;
}

/** One pass, shielded from signals once the source is left. Throws Failure where it cannot be made, or where the ledger is not sound after it. */
export async function moveRecordsOnce(run: RecordsMoveOptions): Promise<void> {
  const { ends, file, overwrite, cutover, quiet, interrupted } = run;
  const { moveRecords } = await import('@octavo/records');
  const started = performance.now();
  let shown: ReturnType<typeof startProgress> | undefined;
  const onRows = (rows: number, total: number): void => {
    shown ??= startProgress({ label: 'records', total, unit: 'rows', quiet });
    shown.update(rows);
    requireGoingOn();
  };
  const requireGoingOn = (): void => {
    if (interrupted.signal.aborted)
      throw new Failure('Interrupted while records moved. The same command goes on.');
  };
  const say = (text: string): void => {
    if (quiet !== true) process.stderr.write(`${text}\n`);
  };
  const onPhase = (phase: MovePhase): void => {
    shown?.end();
    shown = undefined;
    if (phase.name === 'followed') say(`records: ${formatCount(phase.rows)} rows that changed meanwhile`);
    if (phase.name === 'waiting') say('records: whoever writes waits for the last of them');
    // It has happened, or does now: nothing may end it.
    if (phase.name !== 'gone') requireGoingOn();
    if (phase.name === 'leaving') interrupted.shield(true);
  };
  const onBegin = (): void => {
    file.state.records = true;
    file.save();
  };
  let move: RecordsMove;
  try {
    const mayHold = overwrite || file.state.records === true;
    move = await moveRecords({ ...ends, mayHold, cutover, onRows, onBegin, onPhase });
  } catch (error) {
    if (error instanceof Failure || !isExpected(error)) throw error;
    const cure =
      error.message === 'the target has records already' ? ' --overwrite makes it as the source is.' : '';
    throw new Failure(`The records cannot be moved: ${systemReason(error)}.${cure}`);
  } finally {
    shown?.end();
  }
  const rows = move.tables.reduce((sum, table) => sum + table.rows, 0) + move.journal.transfers;
  const changed = move.tables.reduce((sum, table) => sum + table.changed, 0) + move.journal.carried;
  say(
    `records: ${formatCount(rows)} rows of ${move.tables.length + 1} tables, ${formatCount(changed)} of them changed, both sides the same, in ${elapsedSeconds(started)} s`,
  );
  for (const { table, rows: held, digest } of move.tables)
    if (held > 0) say(`  ${table}: ${formatCount(held)}, hash ${digest.slice(0, 16)}`);
  if (move.journal.transfers > 0)
    say(`  journal: ${formatCount(move.journal.transfers)} transfers, its last hash ${move.journal.head}`);
  if (move.stoodStill !== undefined) {
    process.stderr.write(
      `octavo: the records are at ${recordsName(ends.to)}. Writes stood still for ${(move.stoodStill / 1_000).toFixed(1)} s, and are refused at ${recordsName(ends.from)} from now on.\n`,
    );
    return;
  }
  if (move.targetInUse !== undefined)
    process.stderr.write(
      `octavo: ${move.targetInUse}: whoever writes to the target before the move is done spoils it\n`,
    );
  if (move.inUse !== undefined)
    process.stderr.write(
      `octavo: ${move.inUse}: what they write from now on comes with the next run. --cutover moves beside them; or stop them, and run this once more.\n`,
    );
}

/** What the stores throw for a person; anything else is a fault of ours. */
function isExpected(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Gives up a move, and gives false where there was none to give up. Throws Failure as `reopenRecords` does. */
export async function giveUpMove(ends: RecordsEnds, force: boolean): Promise<boolean> {
  const { reopenRecords } = await import('@octavo/records');
  try {
    return await reopenRecords({ ...ends, force });
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new Failure(`The move cannot be given up: ${systemReason(error)}.`);
  }
}
