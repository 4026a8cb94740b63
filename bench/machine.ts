// What did a process take of the machine? CPU time, resident memory and bytes written, as Linux tells them under /proc;
// undefined on other systems.

import { readdirSync, readFileSync } from 'node:fs';

/** CPU time so far, in µs, by thread. Threads are told apart because the time of one that ended is gone. */
export type CpuTimes = ReadonlyMap<string, number>;

export function cpuTimes(pids: readonly number[]): CpuTimes {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
      const text = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
      if (text !== undefined) times.set(`${pid}/${thread}`, Number(text.split(' ')[0]) / 1000);
    }
  }
  return times;
}

/** µs of CPU between two looks; undefined where nothing could be read. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number | undefined {
  if (after.size === 0) return undefined;
  let micros = 0;
  for (const [thread, time] of after) micros += time - (before.get(thread) ?? 0);
  return micros;
}

/** µs of CPU between two looks by names of threads, most first; those that ended meanwhile are left out. */
export function cpuByName(before: CpuTimes, after: CpuTimes): Map<string, number> {
  const names = new Map<string, number>();
  for (const [thread, time] of after) {
    const task = `/proc/${thread.replace('/', '/task/')}/comm`;
    const name = attempt(() => readFileSync(task, 'utf8').trim());
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + time - (before.get(thread) ?? 0));
  }
  return new Map([...names].sort(([, a], [, b]) => b - a));
}

/** Bytes resident now, and at most since the start. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const of = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text ?? '')?.[1]) * 1024;
  return text === undefined ? undefined : { now: of('VmRSS'), peak: of('VmHWM') };
}

/** Bytes that a process caused to be written to disks so far. */
export function bytesWritten(pid: number): number | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/io`, 'utf8'));
  const written = /^write_bytes: (\d+)/m.exec(text ?? '')?.[1];
  return written === undefined ? undefined : Number(written);
}

/** A process and its children, and theirs. */
export function withChildren(pid: number): number[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? '';
  return [pid, ...text.split(' ').filter(Boolean).map(Number).flatMap(withChildren)];
}

/** What is put off until nobody writes comes up to two seconds later: so many looks, ms apart, have to be calm one after the other. */
const AFTER_WRITES: Calm = { looks: 5, everyMs: 500 };
/** What is left of reads is garbage to collect and code to compile. */
export const AFTER_READS: Calm = { looks: 2, everyMs: 100 };

interface Calm {
  readonly looks: number;
  readonly everyMs: number;
}

/**
 * Waits until these processes have taken less than a tenth of a core for a while, for `mostMs` at most: what one does behind its last answer would
 * be in the times of another.
 */
export async function comeToRest(
  pids: readonly number[],
  mostMs: number,
  { looks, everyMs }: Calm = AFTER_WRITES,
): Promise<void> {
  const all = pids.flatMap(withChildren);
  for (let waited = 0, calm = 0; waited < mostMs && calm < looks; waited += everyMs) {
    const before = cpuTimes(all);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    calm = (cpuBetween(before, cpuTimes(all)) ?? 0) < everyMs * 100 ? calm + 1 : 0;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
