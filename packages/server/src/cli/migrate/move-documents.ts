// The run of an index move: rounds, a comparison, rounds again; with --follow, rounds until it is
// stopped.

import { EXIT, Failure } from '../failure.ts';
import { elapsedSeconds, formatCount, perSecond, startProgress } from '../io/progress.ts';
import type { Comparison } from './compare.ts';
import { IndexMove, type MoveOptions } from './index-move.ts';
import type { MoveStateFile } from './move-state.ts';
import { copyTemplates, type TargetSettings } from './source-indices.ts';

interface DocumentsMove extends Omit<MoveOptions, 'note'> {
  readonly follow: boolean;
  readonly quiet: boolean | undefined;
}

/** After a round this small the rest takes seconds. */
const SMALL_ROUND = 1_000;
/** Rounds in a row that are at least half as large as the one before. */
const MAX_STALLED = 8;
/** Rounds in a row that are larger than the one before. */
const MAX_GROWING = 5;
const FOLLOW_PAUSE_MS = 500;
const PRINTED_DIFFERENCES = 10;

/** Moves the documents; throws Failure if something still differs at the end, or if it is interrupted. */
export async function moveDocuments(run: DocumentsMove): Promise<void> {
  const { source, target, file, signal, quiet } = run;
  const started = performance.now();
  const say = (text: string): void => {
    if (quiet !== true) process.stderr.write(`${text}\n`);
  };
  const move = new IndexMove({ ...run, note: (text) => process.stderr.write(`octavo: ${text}\n`) });
  if (file.isResumed) {
    const foreign = await move.foreignIndices();
    if (foreign.length > 0 && !run.overwrite)
      throw new Failure(
        `Something else has written to ${foreign.join(', ')} at ${target.name} since this move was completed. Nothing was changed. If the clients have switched, the move is over: remove ${file.path}. To make the target equal to the source again, add --overwrite.`,
      );
    move.unseal();
  }
  await move.prepare();
  if (run.wanted === undefined) {
    const { copied, notes } = await copyTemplates(source, target, false);
    if (copied.length > 0) say(`templates: ${copied.join(', ')}`);
    for (const note of notes) process.stderr.write(`octavo: ${note}\n`);
  }
  const carried = { written: 0, deleted: 0 };
  await catchUp(run, move, carried, say);
  refuseInterrupted(signal, carried.written, file);
  say(
    `copied ${formatCount(carried.written, 'document')} in ${elapsedSeconds(started)} s (${formatCount(perSecond(carried.written, started))} docs/s)`,
  );
  const compared = await compareAll(run, move);
  await catchUp(run, move, carried, say);
  refuseInterrupted(signal, carried.written, file);
  await move.seal();
  report(compared, say);
  if (run.follow) await follow(run, move, say);
  else
    say(
      `Run the same command again before the clients switch: it copies what was written since. Then remove ${file.path}.`,
    );
}

async function catchUp(
  run: DocumentsMove,
  move: IndexMove,
  carried: { written: number; deleted: number },
  say: (text: string) => void,
): Promise<void> {
  const shown = startProgress({ label: 'copying', total: await move.total(), quiet: run.quiet });
  let still = 0;
  let growing = 0;
  let last = Number.POSITIVE_INFINITY;
  let seen = 0;
  try {
    for (;;) {
      const round = await move.round((documents) => shown.update((seen += documents)));
      carried.written += round.written;
      carried.deleted += round.deleted;
      const size = round.written + round.deleted;
      if (run.signal.aborted || size <= SMALL_ROUND) return;
      still = size > last / 2 ? still + 1 : 0;
      growing = size > last * 1.2 ? growing + 1 : 0;
      if (growing === MAX_GROWING)
        throw new Failure(
          `Clients write to ${run.source.name} faster than this move can follow. The copied documents stay: run the command again when there is less load.`,
        );
      last = size;
      if (still === MAX_STALLED) {
        say(
          `Clients write to ${run.source.name} nearly as fast as this move can follow, so the last steps take longer.`,
        );
        return;
      }
      await move.prepare();
    }
  } finally {
    shown.end();
  }
}

async function compareAll(run: DocumentsMove, move: IndexMove): Promise<Map<string, Comparison>> {
  const shown = startProgress({ label: 'comparing', total: 2 * (await move.total()), quiet: run.quiet });
  try {
    return await move.compare((documents) => {
      shown.update(documents);
      refuseInterrupted(run.signal, 0, run.file);
    });
  } finally {
    shown.end();
  }
}

function refuseInterrupted(signal: AbortSignal, written: number, file: MoveStateFile): void {
  if (signal.aborted)
    throw new Failure(
      `Interrupted${written === 0 ? '' : ` after ${formatCount(written, 'document')}`}. Run the same command to continue; the state is in ${file.path}.`,
    );
}

function report(compared: ReadonlyMap<string, Comparison>, say: (text: string) => void): void {
  let differing = 0;
  for (const [name, { documents, digest, repaired, deleted, differing: left }] of compared) {
    const mending =
      repaired + deleted === 0
        ? ''
        : `, ${formatCount(repaired)} written and ${formatCount(deleted)} deleted by the comparison`;
    const verdict = digest === undefined ? 'equal after comparing one by one' : `equal, hash ${digest}`;
    if (left.length === 0) say(`${name}: ${formatCount(documents, 'document')}, ${verdict}${mending}`);
    for (const { id, reason } of left.slice(0, PRINTED_DIFFERENCES))
      process.stderr.write(`octavo: ${name}/${id} differs: ${reason}\n`);
    differing += left.length;
  }
  if (differing > 0)
    throw new Failure(
      `${formatCount(differing, 'document')} ${differing === 1 ? 'differs' : 'differ'}. Correct the source, or the mapping of the target, and run the command again.`,
    );
}

async function follow(run: DocumentsMove, move: IndexMove, say: (text: string) => void): Promise<void> {
  const { source, target, signal } = run;
  const deletions =
    run.file.state.events === undefined
      ? ' The source does not report deletions; the next comparison finds them.'
      : '';
  say(`Following ${source.name}: switch the clients, then press Ctrl-C.${deletions}`);
  let taken = false;
  while (!signal.aborted) {
    await pause(signal);
    const foreign = await move.foreignIndices();
    if (foreign.length > 0 && !taken)
      say(`${target.name} now receives other writes (${foreign.join(', ')}): the clients have switched.`);
    taken ||= foreign.length > 0;
    await move.prepare();
    const { written, deleted } = await move.round();
    await move.seal();
    if (written + deleted > 0)
      say(`followed ${formatCount(written, 'write')} and ${formatCount(deleted, 'deletion')}`);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FOLLOW_PAUSE_MS);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** Prints what would be moved, one index per line. */
export async function previewDocuments(
  run: Pick<DocumentsMove, 'source' | 'target' | 'wanted'>,
): Promise<void> {
  const { listIndices, countDocuments } = await import('./source-indices.ts');
  const { source, target, wanted } = run;
  for (const { name, aliases } of await listIndices(source, wanted)) {
    const there = await countDocuments(target, name);
    const known = Object.keys(aliases);
    const rest = [
      known.length === 0 ? '' : `, aliases ${known.join(', ')}`,
      there === undefined ? '' : `; ${target.name} has it with ${formatCount(there)}`,
    ].join('');
    process.stdout.write(
      `${name}: ${formatCount((await countDocuments(source, name)) ?? 0, 'document')}${rest}\n`,
    );
  }
  if (wanted !== undefined) return;
  const { copied } = await copyTemplates(source, target, true);
  for (const name of copied) process.stdout.write(`template ${name}\n`);
}

/** Parses --settings, a JSON object. */
export function parseTargetSettings(text: string | undefined): TargetSettings {
  if (text === undefined) return {};
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as TargetSettings;
  } catch {
    // reported below
  }
  throw new Failure(
    `--settings is not a JSON object such as {"number_of_shards":3}: ${text.slice(0, 80)}`,
    EXIT.usage,
  );
}
