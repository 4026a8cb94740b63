// Decides when the oldest full tail is sealed and when writers have to wait for that. A full tail is sealed
// as soon as another one takes writes. While an index is being overwritten (overwrite-tracker.ts) and half of
// the memory is free, up to two full tails wait for their documents to die.

import type { Memory } from '../../memory/memory.ts';
import type { Tail } from '../../tail/tail.ts';
import type { IndexState } from './index-state.ts';

/** Writers wait if an index has more tails than this. */
const MAX_TAILS = 2;
/**
 * Tails of an index that is being overwritten, including the one that takes writes: more of them are sealed
 * ...
 */
const OVERWRITTEN_TAILS = 3;
/** ... and so many more may come before writers wait. */
const EXTRA_TAILS = 1;

/** Tails that wait take memory. */
type Room = Pick<Memory, 'isRoomy'>;

/** Whether the oldest tail is to be sealed or dropped now. `isInvisible` is called only if it decides. */
export function isSealDue(state: IndexState, room: Room, isInvisible: (tail: Tail) => boolean): boolean {
  const { tails } = state;
  if (tails.length < 2) return false;
  if (tails.length > OVERWRITTEN_TAILS || !waitsForDeaths(state, room)) return true;
  return isInvisible(tails[0]!);
}

/** False if writers have to wait because seals are far behind. */
export function hasRoomForWrites(state: IndexState, room: Room): boolean {
  const { length } = state.tails;
  return length <= MAX_TAILS || (length <= OVERWRITTEN_TAILS + EXTRA_TAILS && waitsForDeaths(state, room));
}

function waitsForDeaths({ overwrites }: IndexState, { isRoomy }: Room): boolean {
  return overwrites.isHigh && isRoomy;
}
