// Figures of the process and its machine (memory, load, CPU) for `_nodes`, `_nodes/stats` and `_cat/nodes`.

import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem } from 'node:os';
import { double } from '../../json/number-text.ts';
import type { ReplyObject } from '../../json/reply-value.ts';

/** Figures of this process and its machine; sizes in bytes, times in milliseconds. */
export interface Machine {
  readonly memoryTotal: number;
  readonly memoryFree: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly resident: number;
  readonly load: readonly [number, number, number];
  readonly processors: number;
  readonly cpuMillis: number;
  readonly uptimeMillis: number;
}

/** Reads the figures. */
export function readMachine(): Machine {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  return {
    memoryTotal: totalmem(),
    memoryFree: freemem(),
    heapUsed: memory.heapUsed,
    heapTotal: memory.heapTotal,
    resident: memory.rss,
    load: [one, five, fifteen],
    processors: availableParallelism(),
    cpuMillis: Math.round((cpu.user + cpu.system) / 1000),
    uptimeMillis: Math.round(process.uptime() * 1000),
  };
}

/** A part in whole percent. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}

/** `os.mem`. */
export function memorySection(now: Machine): ReplyObject {
  const used = now.memoryTotal - now.memoryFree;
  return {
    total_in_bytes: now.memoryTotal,
    free_in_bytes: now.memoryFree,
    used_in_bytes: used,
    free_percent: percent(now.memoryFree, now.memoryTotal),
    used_percent: percent(used, now.memoryTotal),
  };
}

/** Name, architecture and release of the operating system. */
export function osInfo(now: Machine): ReplyObject {
  return {
    refresh_interval_in_millis: 1000,
    name: platform(),
    pretty_name: platform(),
    arch: arch(),
    version: release(),
    available_processors: now.processors,
    allocated_processors: now.processors,
  };
}

/** `os` of the statistics. */
export function osStats(now: Machine): ReplyObject {
  const [one, five, fifteen] = now.load;
  return {
    timestamp: Date.now(),
    cpu: {
      percent: Math.min(100, percent(one, now.processors)),
      load_average: { '1m': double(round(one)), '5m': double(round(five)), '15m': double(round(fifteen)) },
    },
    mem: memorySection(now),
    swap: { total_in_bytes: 0, free_in_bytes: 0, used_in_bytes: 0 },
  };
}

/** Two decimals, as loads are shown. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The `jvm` section that tools read: the heap of this process under the names they know. */
export function heapStats(now: Machine): ReplyObject {
  return {
    timestamp: Date.now(),
    uptime_in_millis: now.uptimeMillis,
    mem: {
      heap_used_in_bytes: now.heapUsed,
      heap_used_percent: percent(now.heapUsed, now.heapTotal),
      heap_committed_in_bytes: now.heapTotal,
      heap_max_in_bytes: now.heapTotal,
      non_heap_used_in_bytes: Math.max(0, now.resident - now.heapTotal),
      non_heap_committed_in_bytes: Math.max(0, now.resident - now.heapTotal),
      pools: Object.fromEntries(
        ['young', 'old', 'survivor'].map((name) => [
          name,
          { used_in_bytes: 0, max_in_bytes: 0, peak_used_in_bytes: 0, peak_max_in_bytes: 0 },
        ]),
      ),
    },
    threads: { count: 1, peak_count: 1 },
    gc: {
      collectors: Object.fromEntries(
        ['young', 'old'].map((name) => [name, { collection_count: 0, collection_time_in_millis: 0 }]),
      ),
    },
    buffer_pools: {},
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  };
}

/** `process` of the statistics. */
export function processStats(now: Machine): ReplyObject {
  return {
    timestamp: Date.now(),
    open_file_descriptors: -1,
    max_file_descriptors: -1,
    cpu: { percent: 0, total_in_millis: now.cpuMillis },
    mem: { total_virtual_in_bytes: now.resident },
  };
}
