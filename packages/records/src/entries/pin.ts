// The pin of a walk by page numbers: the state of the list in which it began. Later entries lie outside of
// it, and a deleted entry keeps its slot, so that the walk neither repeats nor skips an entry.

import { RecordsError } from '../contracts/errors.ts';
import type { Space } from './space.ts';

/** How long a pinned walk may take, in ms. */
export const PIN_LIFE_MS: number = 24 * 3_600_000;

/** A state of a list. */
export interface Pin {
  /** Positions below this one belong to it. */
  readonly positions: number;
  /** The last change that belongs to it. */
  readonly change: number;
  /** The number of entries of the list. */
  readonly total: number;
  /** When the list was pinned, in ms since 1970. */
  readonly time: number;
}

/** Throws snapshot-expired for a pin whose changes may have been forgotten. */
export function checkPin(pin: Pin, space: Space, now: number): void {
  if (now - pin.time <= PIN_LIFE_MS && pin.change >= space.forgotten) return;
  throw new RecordsError(
    'snapshot-expired',
    'The walk by page numbers began more than 24 hours ago. Start again with page 1, without as_of.',
    { field: 'as_of' },
  );
}
