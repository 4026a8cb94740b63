// The precondition of a write: its subject still is what the caller has seen.

import { isDeepStrictEqual } from 'node:util';
import { RecordsError } from './errors.ts';

/** The subject of a write as its caller has seen it; undefined where the caller has seen something else. */
export interface OnlyIf<T> {
  readonly is: T | undefined;
}

/** Throws precondition-failed where `now` differs from what the caller has seen. */
export function requireUnchanged<T>(now: T, onlyIf: OnlyIf<T> | undefined): void {
  if (onlyIf === undefined || isDeepStrictEqual(now, onlyIf.is)) return;
  throw new RecordsError('precondition-failed', 'The resource was changed in the meantime.');
}
