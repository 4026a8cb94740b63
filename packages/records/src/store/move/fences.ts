// What do the fences of two places say of a move between them? The row is read and written as an end reads and writes.

import { FENCE, type Fence } from '../fence.ts';
import type { End } from './end.ts';

const COLUMNS = ['name', 'state', 'place', 'event', 'transfers', 'time'];
const KEY = { name: 'writes' };

/** Undefined where writes are taken. */
export async function fenceOf(end: End): Promise<Fence | undefined> {
  const [row] = await end.all(FENCE);
  return row as unknown as Fence | undefined;
}

/** Lets nobody write to a target before all has come. */
export async function bringFence(target: End, source: End): Promise<void> {
  const coming = { state: 'coming', place: source.place, event: 0n, transfers: 0n, time: BigInt(Date.now()) };
  await target.together(async () => {
    await target.remove('move_fence', ['name'], [KEY]);
    await target.insert('move_fence', COLUMNS, [{ ...KEY, ...coming }]);
  });
}

/** Takes writes. */
export async function dropFence(target: End): Promise<void> {
  await target.remove('move_fence', ['name'], [KEY]);
}

/**
 * Throws Error where the records of a source have gone already, unless they went to this target and it does not know yet
 * that they have all come: then somebody was killed between the two, and the move goes on.
 */
export async function requireNotGone(source: End, target: End): Promise<void> {
  const gone = await fenceOf(source);
  if (gone?.state !== 'gone') return;
  const there = await fenceOf(target);
  if (gone.place === target.place && there?.state === 'coming' && there.place === source.place) return;
  const since = new Date(Number(gone.time)).toISOString();
  throw new Error(
    `those of ${source.place} moved to ${gone.place} at ${since} already, and are written there`,
  );
}
