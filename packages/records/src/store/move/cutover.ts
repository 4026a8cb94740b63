// Moves records while servers write to them. Changes are noted from the beginning and carried in rounds that
// get smaller; during the last round all writers wait. Then one commit at the source raises its fence. Until
// that commit the move can end at any moment, and the source takes writes as before.
//
//   source   writes .................................... wait | refused, for good
//   target   refuses ........................................ | takes writes
//            copy and compare all   round  round  round  last | fence

import type { Fence } from '../../schema/store-tables.ts';
import { journalLength, setJournalMark } from './carry-journal.ts';
import type { ChangeWatch } from './ends/change-watch.ts';
import type { MoveEnd } from './ends/move-end.ts';
import { dropFence, moveOfArrival } from './fences.ts';
import { followChanges, type MoveTally, requireCounts, requireSameMoney } from './follow-changes.ts';

/** The rows or ms of a round that is short enough to let writers wait for the next one. */
const FEW_ROWS = 1_000;
const SHORT_MS = 1_000;
/** Rounds after which the cutover fails. */
const ROUNDS = 50;

/** A step of a cutover. */
export type MovePhase =
  | { readonly name: 'followed'; readonly rows: number }
  | { readonly name: 'waiting' }
  /** The commit that leaves the source comes next: the last moment at which the move can still be abandoned. */
  | { readonly name: 'leaving' }
  | { readonly name: 'gone' };

interface Cutover {
  readonly source: MoveEnd;
  readonly target: MoveEnd;
  readonly watch: ChangeWatch;
  /** Carries everything in the snapshot of the source. */
  readonly copy: () => Promise<MoveTally>;
  readonly onPhase: ((phase: MovePhase) => void) | undefined;
}

/** Moves everything. Rejects where a step fails; the source then takes writes, unless it had been left before. */
export async function cutOver(
  move: Cutover,
): Promise<{ readonly tally: MoveTally; readonly stoodStill: number }> {
  const { source, target, watch } = move;
  await source.endSnapshot();
  await watch.begin();
  let done: { readonly tally: MoveTally; readonly stoodStill: number };
  try {
    const tally = await keepUp(move);
    done = { tally, stoodStill: await leave(move, tally) };
  } catch (error) {
    await source.endSnapshot().catch(() => {});
    await watch.end().catch(() => {});
    throw error;
  }
  await dropFence(target);
  // Nothing is noted from now on; where this fails, the leftover notes do no harm.
  await watch.end().catch(() => {});
  return done;
}

/** Follows the source until a round is short. */
async function keepUp({ source, target, watch, copy, onPhase }: Cutover): Promise<MoveTally> {
  await source.refresh();
  let seen = await watch.mark(source);
  const tally = await copy();
  let isCounted = false;
  for (let round = 1; round <= ROUNDS; round++) {
    await watch.forget(seen);
    const started = performance.now();
    await source.refresh();
    seen = await watch.mark(source);
    const rows = await followChanges(source, target, tally);
    onPhase?.({ name: 'followed', rows });
    if (rows > FEW_ROWS && performance.now() - started > SHORT_MS) continue;
    if (!isCounted) {
      // Not while writers wait: it takes time in proportion to the rows. Later changes are compared row by row.
      await requireCounts(source, target, tally);
      isCounted = true;
      continue;
    }
    await watch.forget(seen);
    return tally;
  }
  throw new Error(
    'the source is written to faster than its records can be carried; the cutover was abandoned',
  );
}

/** Leaves the source. Returns how long writers waited, in ms. */
async function leave({ source, target, watch, onPhase }: Cutover, tally: MoveTally): Promise<number> {
  const started = performance.now();
  await watch.blockWrites();
  try {
    onPhase?.({ name: 'waiting' });
    await source.refresh(true);
    await followChanges(source, target, tally);
    await requireSameMoney(source, target, tally);
    const event = await source.newestEvent();
    const transfers = await journalLength(source);
    await target.finish(event);
    if (source.kind === 'postgres' && target.kind === 'sqlite')
      await setJournalMark(target, 'moved', transfers);
    await source.endSnapshot();
    const move = await moveOfArrival(target);
    if (move === undefined) throw new Error(`somebody else has written to ${target.place}`);
    const time = BigInt(Date.now());
    const fence: Fence = { state: 'gone', place: target.place, event, transfers, time, move };
    onPhase?.({ name: 'leaving' });
    await watch.commitFence(fence);
  } catch (error) {
    await watch.allowWrites().catch(() => {});
    throw error;
  }
  onPhase?.({ name: 'gone' });
  return performance.now() - started;
}
