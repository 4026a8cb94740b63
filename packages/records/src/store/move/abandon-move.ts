// Abandons a move: its target is closed first, then its source takes writes again, so that money is never
// taken in two places.

import type { Fence } from '../../schema/store-tables.ts';
import { journalLength } from './carry-journal.ts';
import type { MoveEnd } from './ends/move-end.ts';
import { requireArrived, requireComplete } from './fences.ts';
import { openEnd, openWatch } from './open-end.ts';

/** The two places of a move that is abandoned. */
export interface ReopenOptions {
  readonly from: string;
  readonly to: string;
  /** True also where the target has been written to since: those writes are lost. */
  readonly force: boolean;
}

/**
 * Abandons a move: its source takes writes again, and its target none. Returns false where the source took writes all along;
 * then only the remains of a broken-off move are removed, and the target is not opened. Rejects with Error, and opens nothing,
 * where the records of the source are incomplete, where they did not go to this target, and where the target was written to
 * after the source was left. Creates no place.
 */
export async function abandonMove({ from, to, force }: ReopenOptions): Promise<boolean> {
  const source = await openEnd(from, 'source');
  try {
    await source.endSnapshot();
    // Opened before the fence is read: no other move changes it meanwhile.
    const watch = await openWatch(from);
    try {
      await source.refresh();
      const fence = await requireComplete(source);
      await source.endSnapshot();
      if (fence !== undefined) await closeTarget(to, source, fence, force);
      await watch.end();
      if (fence === undefined) return false;
      await watch.blockWrites();
      await watch.commitFence(undefined);
      return true;
    } finally {
      await watch.close();
    }
  } finally {
    await source.close();
  }
}

/** Raises the fence of the target. Throws Error where it is not the target of this move, or where writes would be lost. */
async function closeTarget(place: string, source: MoveEnd, fence: Fence, force: boolean): Promise<void> {
  const target = await openEnd(place, 'former');
  try {
    await requireArrived(fence, source, target);
    const watch = await openWatch(place);
    try {
      await watch.blockWrites();
      await target.refresh(true);
      await requireArrived(fence, source, target);
      const [event, transfers] = [await target.newestEvent(), await journalLength(target)];
      await target.endSnapshot();
      if (!force && (event > fence.event || transfers > fence.transfers))
        throw new Error(
          `${target.place} has been written to since (event ${event}, the source is at ${fence.event}): move them back, or discard those writes with --overwrite`,
        );
      const time = BigInt(Date.now());
      await watch.commitFence({
        state: 'gone',
        place: source.place,
        event: 0n,
        transfers: 0n,
        time,
        move: '',
      });
    } finally {
      await watch.close();
    }
  } finally {
    await target.close();
  }
}
