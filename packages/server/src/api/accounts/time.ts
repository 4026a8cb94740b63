// When is "2026-11-21T05:00:00Z"? In ms since 1970.

import { Problem } from '../../errors/problem.ts';

/** A time in the form of TIME_PATTERN. Throws Problem where there is no such day or hour. */
export function timeOf(text: string, field: string): number {
  const time = Date.parse(text);
  // Date.parse takes the 30th of February for the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const rolled = Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10);
  if (Number.isNaN(time) || rolled)
    throw new Problem('invalid-parameter', `${field} is no time that there is: ${text}.`, { field });
  return time;
}
