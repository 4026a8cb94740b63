// Who compiles and collects garbage while somebody waits for an answer? V8 has threads of its own for that, as urgent as the
// one that answers; where cores are few it waits for them. Here they give way, as the engine's threads in the background do.

import { readdirSync, readFileSync } from 'node:fs';
import { giveWay } from '@octavo/engine';

/** The threads of this process; only Linux tells of them. */
const TASKS = '/proc/self/task';
/** As Node names them to the system. */
const NAME = 'V8Worker';

/** Lets the threads of V8 that there are give way to others; returns how many there are. */
export function lowerV8Priority(): number {
  let count = 0;
  try {
    for (const task of readdirSync(TASKS)) {
      if (readFileSync(`${TASKS}/${task}/comm`, 'utf8').trim() !== NAME) continue;
      giveWay(Number(task));
      count++;
    }
  } catch {
    // Not Linux: then all go on side by side.
  }
  return count;
}
