// Moves records between a data directory and a PostgreSQL: in one run with a cutover while servers write to
// them, or in passes, the last one with servers stopped.

import type { MovePhase, RecordsMove } from '@octavo/records';
import { EXIT, Failure, systemReason } from '../failure.ts';
import { elapsedSeconds, formatCount, startProgress } from '../io/progress.ts';
import type { Interruption } from '../process/interrupt.ts';
import { schemeOf } from './endpoint.ts';
import type { MoveStateFile } from './move-state.ts';

/**
 * The two ends of a records move: a data directory, or `postgres://…`, which may contain a password and is
 * never printed.
 */
interface RecordsEnds {
  readonly from: string;
  readonly to: string;
}

/** The ends by their flags; an absent one is the data directory of the documents. */
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
    const what = scheme === undefined ? 'it is missing' : `${scheme}:// cannot hold records`;
    throw new Failure(
      `--records-${role}: ${what}; it takes a data directory or postgres://user@host:5432/database.`,
      EXIT.usage,
    );
  };
  const ends = {
    from: side('from', flags.recordsFrom, flags.from),
    to: side('to', flags.recordsTo, flags.to),
  };
  if (ends.from === ends.to) throw new Failure('--records-from and --records-to are the same.', EXIT.usage);
  return ends;
}

/** The name without credentials. */
export function recordsName(endpoint: string): string {
  if (!/^postgres(ql)?:/i.test(endpoint) || !URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  url.username = '';
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

interface RecordsMoveRun {
  readonly ends: RecordsEnds;
  readonly file: MoveStateFile;
  readonly overwrite: boolean;
  readonly cutover: boolean;
  readonly quiet: boolean | undefined;
  readonly interrupted: Interruption;
}

/**
 * Moves the records once, shielded from signals from the moment the source is left. Throws Failure if it
 * cannot, or if the ledger is inconsistent afterwards.
 */
export async function moveRecordsOnce(run: RecordsMoveRun): Promise<void> {
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
      throw new Failure('Interrupted while moving records. Run the same command to continue.');
  };
  const say = (text: string): void => {
    if (quiet !== true) process.stderr.write(`${text}\n`);
  };
  const onPhase = (phase: MovePhase): void => {
    shown?.end();
    shown = undefined;
    if (phase.name === 'followed') say(`records: ${formatCount(phase.rows, 'row')} changed in the meantime`);
    if (phase.name === 'waiting') say('records: writers wait for the last rows');
    // The cutover has happened or is happening: nothing may end it.
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
      error.message === 'the target has records already' ? ' --overwrite makes it equal to the source.' : '';
    throw new Failure(`The records cannot be moved: ${systemReason(error)}.${cure}`);
  } finally {
    shown?.end();
  }
  const rows = move.tables.reduce((sum, table) => sum + table.rows, 0) + move.journal.transfers;
  const changed = move.tables.reduce((sum, table) => sum + table.changed, 0) + move.journal.carried;
  say(
    `records: ${formatCount(rows)} rows of ${move.tables.length + 1} tables, ${formatCount(changed)} of them changed, both sides equal, in ${elapsedSeconds(started)} s`,
  );
  for (const { table, rows: held, digest } of move.tables)
    if (held > 0) say(`  ${table}: ${formatCount(held)}, hash ${digest.slice(0, 16)}`);
  if (move.journal.transfers > 0)
    say(
      `  journal: ${formatCount(move.journal.transfers, 'transaction')}, its last hash ${move.journal.head}`,
    );
  if (move.stoodStill !== undefined) {
    process.stderr.write(
      `octavo: the records are at ${recordsName(ends.to)}. Writes paused for ${(move.stoodStill / 1_000).toFixed(1)} s and are now refused at ${recordsName(ends.from)}.\n`,
    );
    return;
  }
  if (move.targetInUse !== undefined)
    process.stderr.write(
      `octavo: ${move.targetInUse}: writes to the target before the move is complete will break it\n`,
    );
  if (move.inUse !== undefined)
    process.stderr.write(
      `octavo: ${move.inUse}: the next run copies their later writes. Use --cutover to move while they run, or stop them and run the command once more.\n`,
    );
}

/** True for errors the stores throw for people; any other is a defect. */
function isExpected(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Gives up a move; returns false if there was none. Throws Failure like `reopenRecords`. */
export async function giveUpMove(ends: RecordsEnds, force: boolean): Promise<boolean> {
  const { reopenRecords } = await import('@octavo/records');
  try {
    return await reopenRecords({ ...ends, force });
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new Failure(`The move cannot be undone: ${systemReason(error)}.`);
  }
}
