// When do the rows of deleted chats go? At once, but little by little, between the writes of others; what a server that
// ended left behind goes after the next start.

import { type Records, sweepAbandonedEntries } from '@octavo/records';

/** A look now and then, for what another process left behind. */
const EVERY_MS = 60_000;

/** Begins at once. */
export function sweepRegularly(records: Records): { sweep(): void; stop(): void } {
  let running = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      while (!stopped && (await records.write(sweepAbandonedEntries, undefined)));
    } catch {
      // A store that is busy or has failed says so to those who ask it for something.
    } finally {
      running = false;
    }
  };
  const sweep = (): void => void run();
  const timer = setInterval(sweep, EVERY_MS);
  timer.unref();
  sweep();
  return {
    sweep,
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
