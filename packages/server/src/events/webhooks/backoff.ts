// When is a failed delivery tried again? After a time that doubles, up to an hour, with jitter; given up after a day of
// nothing but failures.

const FIRST_MS = 5_000;
const MOST_MS = 3_600_000;
/** So long a receiver may fail before it is left alone. */
export const GIVE_UP_MS: number = 3 * 23_600_000;

/** Milliseconds until the next attempt, after `failures` of them (at least 1). `random` in [0, 1). */
export function delayAfter(failures: number, random: number): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}
