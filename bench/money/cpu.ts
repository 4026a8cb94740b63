// How much processor time has a process used? From /proc (Linux), in all or by what its threads do.

import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of processor time. */
export interface Cpu {
  readonly all: number;
  /** The thread that serves. */
  readonly serving: number;
  /** Worker threads: the records, where it is Octavo. */
  readonly workers: number;
  /** What V8 does beside: compiling and collecting. */
  readonly beside: number;
}

const TICK_MICROS = 10_000;

/** Of a process by threads; threads that have ended are in `all` only. */
export function cpuOf(pid: number): Cpu {
  const sums = { serving: 0, workers: 0, beside: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [name, micros] = read(`/proc/${pid}/task/${thread}/stat`);
    const kind = thread === String(pid) ? 'serving' : name === 'WorkerThread' ? 'workers' : 'beside';
    sums[kind] += micros;
  }
  return { all: read(`/proc/${pid}/stat`)[1], ...sums };
}

/** Microseconds of a process and all below it. */
export function cpuOfTree(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(fieldsOf(readFileSync(`/proc/${name}/stat`, 'utf8'))[1]));
    } catch {
      // It has ended meanwhile.
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

export function since(before: Cpu, after: Cpu): Cpu {
  return {
    all: after.all - before.all,
    serving: after.serving - before.serving,
    workers: after.workers - before.workers,
    beside: after.beside - before.beside,
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

/** What stands behind the name, from the state on. */
function fieldsOf(text: string): string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
