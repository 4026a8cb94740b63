// How does long work leave room for others? By giving way to the event loop every 2 milliseconds.

import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 2;
let since = 0;

/** Returns at once within 2 ms of the last pause, else lets all that waits go first. */
export async function yieldLong(): Promise<void> {
  if (performance.now() - since < SLICE_MS) return;
  await setImmediate();
  since = performance.now();
}
