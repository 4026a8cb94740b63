// Garbage collection of a server. Its heap is small (documents live outside of it), so V8, which scales by a
// fifth of the heap, would collect after every thousand writes and spend a quarter of their time on it.
//
// Buffers outside the heap trigger a collection every 64 MiB, garbage or not, as long as the log's cache
// grows or changes: 3 µs per document written. If memory is not limited, they are counted like the heap
// instead, and garbage is collected when the server is idle.

import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

/** Percent of the live heap: 40 MB grow to 100 before the next collection. */
const GROWTH = 150;
/** A server that uses less than this part of a core is idle. */
const REST = 0.02;
/** CPU since the last collection, in µs, from which a collection pays. */
const WORTH_MICROS = 500_000;
const LOOK_MS = 5_000;

/**
 * Called once by a serving process. `limited`: its memory is, so buffers must be collected early. `say`
 * learns why idle collection has stopped, if it has.
 */
export function tuneHeap(limited: boolean, say: (line: string) => void): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  if (limited) return;
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  collectAtRest(LOOK_MS, (why) => say(`octavo: idle garbage collection has stopped: ${why}`));
}

/**
 * Collects garbage whenever the process becomes idle after some work, until that fails. Checks every
 * `lookMs`.
 */
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
 * Collects all garbage in small steps between other work. `gc` would do it at once: it drops object shapes
 * without instances, and the code compiled for them, which must be compiled again after the pause, for 2 µs a
 * document of a bulk. A memory measurement collects like V8 does by itself, and keeps both.
 */
export async function collectGarbage(): Promise<void> {
  const { emitWarning } = process;
  // The function is experimental; its first call in a process would warn on stderr.
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
