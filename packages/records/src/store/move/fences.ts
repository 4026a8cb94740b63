// The fences of the two places of a move, and what they say about it together.

import { randomUUID } from 'node:crypto';
import type { Fence } from '../../schema/store-tables.ts';
import { SELECT_FENCE } from '../write-fence.ts';
import type { MoveEnd } from './ends/move-end.ts';

const COLUMNS = ['name', 'state', 'place', 'event', 'transfers', 'time', 'move'];
const WRITES = { name: 'writes' };
const CAME = { name: 'came' };

/** Undefined where writes are taken. */
export async function fenceOf(end: MoveEnd): Promise<Fence | undefined> {
  const [row] = await end.all(SELECT_FENCE);
  return row as unknown as Fence | undefined;
}

/** The fence of a source, or undefined. Throws Error where a move to the source is incomplete: its balances are not sound. */
export async function requireComplete(source: MoveEnd): Promise<Fence | undefined> {
  const fence = await fenceOf(source);
  if (fence?.state !== 'coming') return fence;
  throw new Error(
    `the move from ${fence.place} to ${source.place} is incomplete: run it again, or remove the records in ${source.place}`,
  );
}

/** The name of the move that brought the records, or undefined. It stays when they are written to. */
export async function moveOfArrival(end: MoveEnd): Promise<string | undefined> {
  const [row] = await end.all("SELECT move FROM move_fence WHERE name = 'came'");
  return row?.['move'] as string | undefined;
}

/** Closes a target for writers until everything has arrived, and stores the name of the move there. A continued move keeps its name. */
export async function raiseFence(target: MoveEnd, source: MoveEnd): Promise<void> {
  const gone = await fenceOf(source);
  const move = gone === undefined || gone.move === '' ? randomUUID() : gone.move;
  const time = BigInt(Date.now());
  const coming = { state: 'coming', place: source.place, event: 0n, transfers: 0n, time, move };
  const names = [WRITES, CAME];
  await target.transaction(async () => {
    await target.remove('move_fence', ['name'], names);
    await target.insert(
      'move_fence',
      COLUMNS,
      names.map((name) => ({ ...name, ...coming })),
    );
  });
}

/** Takes writes. */
export async function dropFence(target: MoveEnd): Promise<void> {
  await target.remove('move_fence', ['name'], [WRITES]);
}

/** Forgets which move brought the records of a target, unless it was one from this source. */
export async function forgetMove(target: MoveEnd, source: MoveEnd): Promise<void> {
  const gone = await fenceOf(source);
  if (gone === undefined || gone.move !== (await moveOfArrival(target)))
    await target.remove('move_fence', ['name'], [CAME]);
}

/**
 * Throws Error unless the records of a source went to this target and are still there. Both have the name of the move,
 * whatever their places are called; the target may be open, closed by a kill, or closed by `reopenRecords`.
 */
export async function requireArrived(gone: Fence, source: MoveEnd, target: MoveEnd): Promise<void> {
  if (gone.move === '')
    throw new Error(
      `the records of ${source.place} were abandoned for those of ${gone.place}, which takes the writes: move them here instead`,
    );
  const own = await fenceOf(target);
  const isOwn = own === undefined || own.move === gone.move || (own.state === 'gone' && own.move === '');
  if (isOwn && (await moveOfArrival(target)) === gone.move) return;
  throw new Error(
    `the records of ${source.place} moved to ${gone.place}, not to ${target.place}: name the place they moved to`,
  );
}

/**
 * Throws Error where the records of a source have moved already, unless they went to this target and its fence is still up:
 * then the process was killed between the two commits, and the move continues.
 */
export async function requireNotGone(source: MoveEnd, target: MoveEnd): Promise<void> {
  const gone = await fenceOf(source);
  if (gone?.state !== 'gone') return;
  const there = await fenceOf(target);
  if (gone.move !== '' && there?.state === 'coming' && there.move === gone.move) return;
  const since = new Date(Number(gone.time)).toISOString();
  throw new Error(
    `the records of ${source.place} already moved to ${gone.place} at ${since}, which takes the writes`,
  );
}
