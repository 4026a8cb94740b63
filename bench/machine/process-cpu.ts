// CPU time of a process, from /proc (Linux): in total, or by kind of thread.

import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU time. */
export interface ProcessCpu {
  readonly all: number;
  /** The main thread, which serves requests. */
  readonly serving: number;
  /** Worker threads; in Octavo, the records. */
  readonly workers: number;
  /** V8's helper threads, which compile and collect. */
  readonly helpers: number;
}

const TICK_MICROS = 10_000;
/** How Octavo names its worker threads; those of V8 and libuv have other names. */
const OWN_THREADS = 'octavo';

/** CPU time of a process by kind of thread. Ended threads count only in `all`. */
export function cpuOf(pid: number): ProcessCpu {
  const sums = { serving: 0, workers: 0, helpers: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [name, micros] = read(`/proc/${pid}/task/${thread}/stat`);
    const kind = thread === String(pid) ? 'serving' : name.startsWith(OWN_THREADS) ? 'workers' : 'helpers';
    sums[kind] += micros;
  }
  return { all: read(`/proc/${pid}/stat`)[1], ...sums };
}

/** Microseconds of a process and its descendants. */
export function cpuOfTree(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(fieldsOf(readFileSync(`/proc/${name}/stat`, 'utf8'))[1]));
    } catch {
      // The process has ended meanwhile.
    }
  }
  let sum = 0;
  for (const child of parents.keys()) {
    let up: number | undefined = child;
    while (up !== undefined && up !== pid) up = parents.get(up);
    if (up === pid) sum += read(`/proc/${child}/stat`)[1];
  }
  return sum;
}

export function cpuSince(before: ProcessCpu, after: ProcessCpu): ProcessCpu {
  return {
    all: after.all - before.all,
    serving: after.serving - before.serving,
    workers: after.workers - before.workers,
    helpers: after.helpers - before.helpers,
  };
}

/** proc(5): name, user and system time in ticks of 1/100 s. */
function read(path: string): [name: string, micros: number] {
  try {
    const text = readFileSync(path, 'utf8');
    const fields = fieldsOf(text);
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    return [name, (Number(fields[11]) + Number(fields[12])) * TICK_MICROS];
  } catch {
    return ['', 0];
  }
}

/** The fields behind the name, from the state on. */
function fieldsOf(text: string): string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
