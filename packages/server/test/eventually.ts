// Waits in a test by repeating its assertion until it holds. What is awaited and what is asserted are the
// same, so a slow machine only takes longer.

import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks, in ms. */
const LOOK_MS = 10;
/** Only what never comes takes so long, in ms. */
const NEVER_MS = 180_000;

/** What `look` gives once it does not throw. Throws what it threw last where that never happens. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + NEVER_MS;
  for (;;) {
    try {
      return await look();
    } catch (thrown) {
      if (performance.now() > end) throw thrown;
    }
    await sleep(LOOK_MS);
  }
}
