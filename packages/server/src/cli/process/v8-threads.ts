// Lowers the priority of V8's compiler and garbage collection threads. They are as urgent as the serving
// thread, which waits for them on few cores; the engine's background threads give way as well.

import { readdirSync, readFileSync } from 'node:fs';
import { giveWay } from '@octavo/engine';

/** The threads of this process; Linux only. */
const TASKS = '/proc/self/task';
/** Their name in Node. */
const NAME = 'V8Worker';

/** Lowers the priority of the existing V8 threads and returns their number. */
export function lowerV8Priority(): number {
  let count = 0;
  try {
    for (const task of readdirSync(TASKS)) {
      if (readFileSync(`${TASKS}/${task}/comm`, 'utf8').trim() !== NAME) continue;
      giveWay(Number(task));
      count++;
    }
  } catch {
    // Not Linux: all threads keep their priority.
  }
  return count;
}
