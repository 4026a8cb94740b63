// CPU time, resident memory and written bytes of processes, from /proc (Linux); undefined on other systems.

import { readdirSync, readFileSync } from 'node:fs';

/** CPU time so far, in µs, by thread. By thread, because the time of an ended thread disappears. */
type CpuTimes = ReadonlyMap<string, number>;

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

/** µs of CPU between two readings; undefined if nothing could be read. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number | undefined {
  if (after.size === 0) return undefined;
  let micros = 0;
  for (const [thread, time] of after) micros += time - (before.get(thread) ?? 0);
  return micros;
}

/** µs of CPU between two readings by thread name, largest first. Ended threads are left out. */
export function cpuByName(before: CpuTimes, after: CpuTimes): Map<string, number> {
  const names = new Map<string, number>();
  for (const [thread, time] of after) {
    const task = `/proc/${thread.replace('/', '/task/')}/comm`;
    const name = attempt(() => readFileSync(task, 'utf8').trim());
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + time - (before.get(thread) ?? 0));
  }
  return new Map([...names].sort(([, a], [, b]) => b - a));
}

/** Resident bytes now, and the peak since the start. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const of = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text ?? '')?.[1]) * 1024;
  return text === undefined ? undefined : { now: of('VmRSS'), peak: of('VmHWM') };
}

/** Bytes that a process has caused to be written to disk. */
export function bytesWritten(pid: number): number | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/io`, 'utf8'));
  const written = /^write_bytes: (\d+)/m.exec(text ?? '')?.[1];
  return written === undefined ? undefined : Number(written);
}

/** A process and its descendants. */
export function processTree(pid: number): number[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? '';
  return [pid, ...text.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

/** A process is idle after `looks` idle samples in a row, `everyMs` apart. Deferred work starts up to two seconds late. */
const AFTER_WRITES: IdleRule = { looks: 5, everyMs: 500 };
/** After reads only garbage collection and compilation remain, so a short wait suffices. */
export const IDLE_AFTER_READS: IdleRule = { looks: 2, everyMs: 100 };

interface IdleRule {
  readonly looks: number;
  readonly everyMs: number;
}

/**
 * Waits until these processes have used less than a tenth of a core for a while, at most `mostMs`. Otherwise the work
 * after the last reply of one server would count in the times of another.
 */
export async function waitUntilIdle(
  pids: readonly number[],
  mostMs: number,
  { looks, everyMs }: IdleRule = AFTER_WRITES,
): Promise<void> {
  const all = pids.flatMap(processTree);
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
