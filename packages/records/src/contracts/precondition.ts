// The precondition of a write: its subject still is what the caller has seen.

import { isDeepStrictEqual } from 'node:util';
import { RecordsError } from './errors.ts';

/** What a write is about, as its caller has seen it; undefined where they have seen something else. */
export interface OnlyIf<T> {
  readonly is: T | undefined;
}

/** Throws precondition-failed where `now` is not what was seen. */
export function requireUnchanged<T>(now: T, onlyIf: OnlyIf<T> | undefined): void {
  if (onlyIf === undefined || isDeepStrictEqual(now, onlyIf.is)) return;
  throw new RecordsError('precondition-failed', 'It was changed meanwhile.');
}
