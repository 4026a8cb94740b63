// How long are events kept? Those of the outbox for a time and up to a number; whoever is further behind is told that
// something is lost.

import { forgetEvents, type Records } from '@octavo/records';

/** How much is kept. */
export interface EventRetention {
  /** @default 7 days */
  readonly maxAgeMs: number;
  readonly maxEvents: number;
}

const EVERY_MS = 60_000;
const BATCH = 2_000;

/** Forgets what is too old, from time to time. Returns how to stop. */
export function startEventExpiry(records: Records, { maxAgeMs, maxEvents }: EventRetention): () => void {
  let running = false;
  const tidy = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      const wish = { olderThan: Date.now() - maxAgeMs, keep: maxEvents, limit: BATCH };
      while ((await records.write(forgetEvents, wish)) === BATCH);
    } catch {
      // The store is closing or full: the next time will do.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void tidy(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
