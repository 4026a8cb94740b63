// When is a full tail sealed, and when do writers wait for that? At once, and behind the second one; but where an index is
// being written over, full tails wait for their documents to die.

import type { Memory } from '../../memory/memory.ts';
import type { Tail } from '../../tail/tail.ts';
import type { IndexState } from './index-state.ts';

/** Tails of one index that may wait for their seal before writers wait for them. */
const TAILS_WAITING = 2;
/** The same, the one that takes writes among them, where they wait to be written over; */
export const OVERWRITTEN_TAILS = 3;
/** then so many more may come before writers wait. */
const TAILS_BESIDE = 1;

/** What decides beside the index itself: tails that wait take room. */
type Room = Pick<Memory, 'isRoomy'>;

/** Is the oldest tail to be sealed now, or to be dropped? Whether it `isGone` is asked where that decides. */
export function isSealDue(state: IndexState, room: Room, isGone: (tail: Tail) => boolean): boolean {
  const { tails } = state;
  if (tails.length < 2) return false;
  if (tails.length > OVERWRITTEN_TAILS || !mayDie(state, room)) return true;
  return isGone(tails[0]!);
}

/** False for an index that is far behind with its seals. */
export function hasRoomForWrites(state: IndexState, room: Room): boolean {
  const { length } = state.tails;
  return length <= TAILS_WAITING || (length <= OVERWRITTEN_TAILS + TAILS_BESIDE && mayDie(state, room));
}

function mayDie({ overwrites }: IndexState, { isRoomy }: Room): boolean {
  return overwrites.isHigh && isRoomy;
}
