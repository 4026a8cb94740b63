// The limit of open files of the process (`ulimit -n`), and how many connections it leaves room for. Without
// this bound, connections take the descriptors that segments, the log and the records need. Node raises the
// soft limit to the hard one when it starts, so nothing can be raised here.

import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors kept free of connections: for new chunks of the log, segments, records, threads and refused sockets. */
const RESERVE = 256;

/**
 * Connections that the limit of open files leaves room for, beside the files that are open now: all but the
 * reserve, and at least half of what is free. Infinity if there is no limit.
 */
export function connectionsWithinOpenFiles(): number {
  const free = openFilesLimit() - openFiles();
  return Math.max(1, free - RESERVE, Math.floor(free / 2));
}

/** Linux shows the limit in a file (0.1 ms); a report of Node takes 10 ms. */
function openFilesLimit(): number {
  if (process.platform === 'linux') {
    const [, soft] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return toLimit(soft);
  }
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  return toLimit(userLimits?.open_files?.soft);
}

/** `unlimited` and what is missing are no limit. */
function toLimit(value: number | string | undefined): number {
  const limit = Number(value);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

function openFiles(): number {
  try {
    return readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').length;
  } catch {
    return 0;
  }
}
