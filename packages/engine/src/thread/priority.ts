// Lowers the priority of background threads below the thread that answers requests.

import { getPriority, setPriority } from 'node:os';

/** The `nice` value of a background thread above that of the process: it gets a third of a core that both want. */
const NICE = 5;
/** The highest `nice` value of Linux. */
const MAX_NICE = 19;

/**
 * Lowers the priority of a thread of this process, by its number in the system; by default of the calling
 * one. Only Linux has priorities of threads.
 */
export function giveWay(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, Math.min(getPriority(process.pid) + NICE, MAX_NICE));
  } catch {
    // A sandbox may forbid it: then all threads have the same priority.
  }
}
