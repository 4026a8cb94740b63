// When is "2026-11-21T05:00:00Z"? In ms since 1970.

import { Problem } from '../problem.ts';

/** A time in the form of TIME_PATTERN. Throws Problem where there is no such day or hour. */
export function timeOf(text: string, field: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new Problem('invalid-parameter', `${field} is no time that there is: ${text}.`, { field });
  return time;
}
