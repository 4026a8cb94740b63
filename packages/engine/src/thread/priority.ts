// Lowers the priority of background threads below the thread that answers requests.

import { setPriority } from 'node:os';

/** The `nice` value of a background thread: it gets a third of a core that both want. */
const NICE = 5;

/**
 * Lowers the priority of a thread of this process, by its number in the system; by default of the calling
 * one. Only Linux has priorities of threads.
 */
export function giveWay(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, NICE);
  } catch {
    // A sandbox may forbid it: then all threads have the same priority.
  }
}
