// Deletes the rows of deleted chats in small steps between other writes. What a stopped server left is
// deleted after the next start.

import { type Records, sweepAbandonedEntries } from '@octavo/records';

/** Finds what another process left behind. */
const EVERY_MS = 60_000;

/** Starts immediately. */
export function startSweeper(records: Records): { sweep(): void; stop(): void } {
  let running = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      while (!stopped && (await records.write(sweepAbandonedEntries, undefined)));
    } catch {
      // A store that is busy or has failed reports that to callers itself.
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
