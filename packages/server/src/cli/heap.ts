// How much garbage may pile up before it is looked for? The heap of a server is small (documents lie outside of it), so V8,
// which goes by a fifth of it, would look for garbage after every thousand writes, and spend a quarter of their time on that.

import { setFlagsFromString } from 'node:v8';

/** Of what lives, in percent: 40 MB become 100 before the next collection. */
const GROWTH = 150;

/** To be called once, by a process that serves. */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
