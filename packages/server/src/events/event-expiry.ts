// Expires events of the outbox by age and number. A follower further behind gets `events-lost`.

import { forgetEvents, type Records } from '@octavo/records';

interface EventRetention {
  /** @default 7 days */
  readonly maxAgeMs: number;
  readonly maxEvents: number;
}

const EVERY_MS = 60_000;
const BATCH = 2_000;

/** Deletes expired events once a minute. Returns a function that stops it. */
export function startEventExpiry(records: Records, { maxAgeMs, maxEvents }: EventRetention): () => void {
  let running = false;
  const tidy = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      const wish = { olderThan: Date.now() - maxAgeMs, keep: maxEvents, limit: BATCH };
      while ((await records.write(forgetEvents, wish)) === BATCH);
    } catch {
      // The store is closing or full: try again next time.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void tidy(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
