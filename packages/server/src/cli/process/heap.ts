// How much garbage may pile up before it is looked for? The heap of a server is small (documents lie outside of it), so V8,
// which goes by a fifth of it, would look for garbage after every thousand writes, and spend a quarter of their time on that.
// Buffers outside of the heap make it look after every 64 MiB of them, garbage or not, as long as what is kept of the log
// grows or is renewed: 3 µs a document that is written. Where memory is not limited they count as the heap does instead,
// and what has piled up when the server comes to rest is given back then.

import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/** Of what lives, in percent: 40 MB become 100 before the next collection. */
const GROWTH = 150;
/** A server that takes less than this part of a core is at rest. */
const REST = 0.02;
/** CPU since the last collection, in µs, from which on there is something to collect. */
const WORTH_MICROS = 500_000;
const LOOK_MS = 5_000;

/**
 * To be called once, by a process that serves. `limited`: its memory is, so buffers are to be looked for early. `say` is told
 * why garbage is not looked for at rest, where it is not.
 */
export function tuneHeap(limited: boolean, say: (line: string) => void): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  if (limited) return;
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  collectAtRest(LOOK_MS, (why) => say(`octavo: garbage is not looked for at rest any more: ${why}`));
}

/** Collects all garbage whenever the process has come to rest after some work, until it fails; looks every so many milliseconds. */
export function collectAtRest(
  lookMs: number,
  failed: (why: string) => void,
  collect: () => Promise<unknown> = collectGarbage,
): void {
  let [last, collected] = [cpuMicros(), cpuMicros()];
  const look = (): void => {
    const now = cpuMicros();
    const rests = now - last < REST * lookMs * 1000;
    if (rests && now - collected > WORTH_MICROS) {
      collect().catch((error: unknown) => {
        clearInterval(timer);
        failed(error instanceof Error ? error.message : String(error));
      });
      collected = cpuMicros();
    }
    last = cpuMicros();
  };
  const timer = setInterval(look, lookMs).unref();
}

/**
 * Has all garbage collected, in small steps beside other work. `gc` does it at once: shapes of objects of which there are none at
 * that moment are forgotten then, and with them the code that was compiled for them, so that what comes after a rest is
 * compiled again, for 2 µs a document of a bulk. To measure memory V8 collects as it does by itself, and keeps both.
 */
export async function collectGarbage(): Promise<void> {
  const { emitWarning } = process;
  // Of a function that may change, or go: that is said on stderr by the first call in a process.
  if (!isWarned) process.emitWarning = () => {};
  isWarned = true;
  let measured: Promise<unknown>;
  try {
    measured = vm.measureMemory({ mode: 'summary', execution: 'eager' });
  } finally {
    process.emitWarning = emitWarning;
  }
  await measured;
}

let isWarned = false;

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
