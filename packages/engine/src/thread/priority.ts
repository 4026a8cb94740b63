// Who goes first where cores are few? The thread that answers requests: those that work for it in the background give way.

import { setPriority } from 'node:os';

/** How much a thread in the background steps back, as `nice` has it: it gets a third of a core that both want. */
const NICE = 5;

/**
 * Makes a thread of this process, by the system's number, give way to the others; the calling one where none is named. Only Linux
 * has priorities of threads.
 */
export function giveWay(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, NICE);
  } catch {
    // A sandbox may forbid it: then all go on side by side.
  }
}
