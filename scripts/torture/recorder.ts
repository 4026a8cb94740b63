// Starts processes under the recorder (recorder.c) and reads the records that it wrote.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./recorder.c', import.meta.url));

/** One call on a file below the recorded folder. Times are nanoseconds of the monotonic clock. */
export type TraceRecord =
  | { kind: 'open'; file: number; time: bigint; path: string; flags: number; isNew: boolean }
  | { kind: 'write'; file: number; time: bigint; offset: number; bytes: Buffer; isSynced: boolean }
  | { kind: 'truncate'; file: number; time: bigint; length: number }
  | { kind: 'sync-begin' | 'sync-end' | 'close'; file: number; time: bigint }
  | { kind: 'rename' | 'link'; time: bigint; path: string; to: string }
  | { kind: 'unlink' | 'mkdir' | 'rmdir'; time: bigint; path: string };

const KINDS = [
  '', 'open', 'write', 'write', 'truncate', 'sync-begin', 'sync-end', 'rename', 'unlink', 'mkdir', 'rmdir', 'close', 'link',
] as const; // biome-ignore format: the numbers of recorder.c
const SYNCED_WRITE = 3;
const HEAD_BYTES = 40;

/**
 * The path of the compiled recorder, compiled on first use. Undefined where it cannot be had: no Linux, or no C compiler. `say`
 * is told why.
 */
export function recorderLibrary(say: (reason: string) => void): string | undefined {
  if (process.platform !== 'linux') {
    say('recording needs Linux (LD_PRELOAD)');
    return undefined;
  }
  const folder = join(tmpdir(), `octavo-recorder-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const library = join(folder, `recorder-${statSync(SOURCE).mtimeMs}.so`);
  if (existsSync(library)) return library;
  const made = `${library}.${process.pid}`;
  const compiled = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', made, SOURCE, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) {
    say(
      compiled.error === undefined
        ? `the C compiler refused the recorder: ${compiled.stderr}`
        : 'there is no C compiler (cc)',
    );
    return undefined;
  }
  renameSync(made, library);
  return library;
}

/** What the recorder is to do with a process. */
export interface RecorderOptions {
  readonly root: string;
  /** Where traces go; none by default. */
  readonly trace?: string;
  /** The number of the call that fails, from 1, and the error it fails with. */
  readonly failAt?: number;
  readonly failErrno?: number;
  /** The last call that fails. @default `failAt` */
  readonly failUntil?: number;
  /** Files of 8 bytes: the number of calls so far, and nanoseconds added to the wall clock. */
  readonly calls?: string;
  readonly clock?: string;
}

/** The environment of a process under the recorder. */
export function recorderEnvironment(library: string, options: RecorderOptions): Record<string, string> {
  const { root, trace, failAt, failUntil, failErrno, calls, clock } = options;
  return {
    LD_PRELOAD: library,
    // Through io_uring calls would pass the recorder by.
    UV_USE_IO_URING: '0',
    OCTAVO_TRACE_ROOT: root,
    ...(trace !== undefined && { OCTAVO_TRACE: trace }),
    ...(failAt !== undefined && { OCTAVO_FAIL_AT: String(failAt) }),
    ...(failUntil !== undefined && { OCTAVO_FAIL_UNTIL: String(failUntil) }),
    ...(failErrno !== undefined && { OCTAVO_FAIL_ERRNO: String(failErrno) }),
    ...(calls !== undefined && { OCTAVO_CALLS: calls }),
    ...(clock !== undefined && { OCTAVO_CLOCK: clock }),
  };
}

/** The records of all processes that traced to `prefix`, in the order of their times. */
export function readTraces(prefix: string): TraceRecord[] {
  const folder = prefix.slice(0, prefix.lastIndexOf('/'));
  const name = prefix.slice(folder.length + 1);
  const records = readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`))
    .flatMap((file, process) => parseTrace(readFileSync(join(folder, file)), process * 1e6));
  return records.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** The records of one process. `base` is added to the numbers of its files. */
function parseTrace(bytes: Buffer, base: number): TraceRecord[] {
  const records: TraceRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    // The process was killed in the middle of a record.
    if (at + length > bytes.length) break;
    const code = bytes.readUInt32LE(at + 4);
    const file = base + bytes.readUInt32LE(at + 8);
    const a = Number(bytes.readBigInt64LE(at + 16));
    const b = Number(bytes.readBigInt64LE(at + 24));
    const time = bytes.readBigInt64LE(at + 32);
    const rest = bytes.subarray(at + HEAD_BYTES, at + length);
    const [path = '', to = ''] = code === 1 || code >= 7 ? rest.toString('utf8').split('\0') : [];
    const kind = KINDS[code];
    if (kind === 'open') records.push({ kind, file, time, path, flags: a, isNew: b === 1 });
    else if (kind === 'write')
      records.push({ kind, file, time, offset: a, bytes: rest, isSynced: code === SYNCED_WRITE });
    else if (kind === 'truncate') records.push({ kind, file, time, length: a });
    else if (kind === 'rename' || kind === 'link') records.push({ kind, time, path, to });
    else if (kind === 'unlink' || kind === 'mkdir' || kind === 'rmdir') records.push({ kind, time, path });
    else if (kind === 'sync-begin' || kind === 'sync-end' || kind === 'close')
      records.push({ kind, file, time });
    else throw new Error(`a record of kind ${code} at byte ${at} of a trace`);
    at += length;
  }
  return records;
}
