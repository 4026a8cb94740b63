// Who goes first where cores are few? The thread that answers requests: those that work for it in the background give way.

import { setPriority } from 'node:os';

/** How much a thread in the background steps back, as `nice` has it: it gets a third of a core that both want. */
const NICE = 5;

/** Makes the calling thread give way to others of the process. Only Linux has priorities of threads. */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // A sandbox may forbid it: then all go on side by side.
  }
}
