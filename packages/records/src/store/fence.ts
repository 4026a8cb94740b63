// May anything be written here? Not after the records have moved, and not while they are on their way here: one row says so.
// Whoever moves them writes it while no write is under way; every group of writes reads it after it has the right to write.

import { RecordsError } from '../errors.ts';

/** Why nothing is written. */
export interface Fence {
  /** `gone`: they are there now. `coming`: they come from there, and are not complete. */
  readonly state: 'gone' | 'coming';
  /** Where that is, without name and password. */
  readonly place: string;
  /** The newest event and the transfers there were when they went. */
  readonly event: bigint;
  readonly transfers: bigint;
  /** When they went or began to come. */
  readonly time: bigint;
  /** A random name of the move, the same on both sides: places have several spellings. Empty where one was given up. */
  readonly move: string;
}

/** At most one row. Another one names the move with which the records came (move/fences.ts). */
export const FENCE: string =
  "SELECT state, place, event, transfers, time, move FROM move_fence WHERE name = 'writes'";

/** The refusal of what would change something. */
export function fenced({ state, place, time }: Pick<Fence, 'state' | 'place' | 'time'>): RecordsError {
  const since = new Date(Number(time)).toISOString();
  return new RecordsError(
    'records-moved',
    state === 'gone'
      ? `The records moved to ${place} at ${since}: nothing is written here any more. Send this to the server there; reading goes on here.`
      : `The records are on their way here from ${place} since ${since}. Try again when they have arrived.`,
  );
}
