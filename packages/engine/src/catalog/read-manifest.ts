// Reads a manifest after whatever happened to it, and repairs its end. A torn last line is cut off; anything
// else that is wrong is damage.

import type { DiskFile } from '../disk/disk.ts';
import { DiskFullError } from '../disk/failure.ts';
import {
  type CatalogChange,
  changesOf,
  checkHead,
  decodeLine,
  type ManifestLine,
} from './manifest-format.ts';

/** What an operator can do about a data directory that a start refuses. */
export const CURE = 'restore the data directory from a backup, or run octavo doctor --repair';

/** Thrown at the start if the contents of the catalog cannot be known. Nothing has been changed. */
export class CatalogDamaged extends Error {
  override readonly name = 'CatalogDamaged';

  constructor(file: string, line: number, offset: number, why: string) {
    super(`${file} is damaged in line ${line}, at byte ${offset}: ${why}. It was left as it is; ${CURE}`);
  }
}

/** Throws if a manifest ends before the line that was committed last. Nothing has been changed. */
export function refuseLostEnd({ number }: Manifest, committed: number | undefined, file: string): void {
  if (committed === undefined || committed <= number) return;
  throw new Error(
    `${file} has lost its end: it ends with line ${number}, but line ${committed} was committed. It was left as it is; ${CURE}`,
  );
}

/** The contents of a manifest, in order. */
export interface Manifest {
  readonly changes: CatalogChange[];
  /** Number of the last line. */
  readonly number: number;
  /** Offsets of the last line: its start, and the end behind it. */
  readonly lastStart: number;
  readonly end: number;
}

/**
 * Reads a manifest. Throws CatalogDamaged. Its first line is never torn: the file was synced before it got
 * its name.
 */
export function readManifest(bytes: Uint8Array, file: string): Manifest {
  const changes: CatalogChange[] = [];
  let last: ManifestLine | undefined;
  let lastStart = 0;
  let at = 0;
  for (let count = 1; at < bytes.length; count++) {
    const stop = lineEnd(bytes, at);
    const line = stop < 0 ? undefined : decodeLine(bytes.subarray(at, stop));
    if (line === undefined) {
      if (count === 1 || hasLineAfter(bytes, at) || isWritten(bytes, at))
        throw new CatalogDamaged(file, count, at, 'its checksum is wrong');
      break;
    }
    if (last === undefined) checkHead(line, file);
    else if (line.number !== last.number + 1)
      throw new CatalogDamaged(file, count, at, `line number ${line.number} follows ${last.number}`);
    else changes.push(...changesOf(line));
    last = line;
    lastStart = at;
    at = stop + 1;
  }
  if (last === undefined) throw new CatalogDamaged(file, 1, 0, 'it is empty');
  return { changes, number: last.number, lastStart, end: at };
}

/** Offset of the newline of a line. A last line whose checksum is right has a wrong newline only. */
function lineEnd(bytes: Uint8Array, at: number): number {
  const stop = bytes.indexOf(10, at);
  if (stop >= 0) return stop;
  return decodeLine(bytes.subarray(at, -1)) === undefined ? -1 : bytes.length - 1;
}

/**
 * Whether a bad last line was written completely: a power cut leaves no newline at the end, or sectors of
 * zeros.
 */
function isWritten(bytes: Uint8Array, bad: number): boolean {
  return bytes.at(-1) === 10 && bytes.indexOf(0, bad) < 0;
}

/** Whether there is an intact line behind a bad one. */
function hasLineAfter(bytes: Uint8Array, bad: number): boolean {
  for (let stop = bytes.indexOf(10, bad); stop >= 0; ) {
    const next = bytes.indexOf(10, stop + 1);
    if (next >= 0 && decodeLine(bytes.subarray(stop + 1, next)) !== undefined) return true;
    stop = next;
  }
  return false;
}

/**
 * Cuts what is behind the last intact line and writes that line again: after a failed sync the page cache may
 * show bytes that the system never writes by itself.
 */
export async function repairManifest(file: DiskFile, bytes: Uint8Array, manifest: Manifest): Promise<void> {
  const { lastStart, end } = manifest;
  if (end < bytes.length) await file.truncate(end);
  const line = Uint8Array.from([...bytes.subarray(lastStart, end - 1), 10]);
  if ((await file.write([line], lastStart)) < line.length)
    throw new DiskFullError(`writing the end of ${file.name} once more`);
  await file.sync();
}
