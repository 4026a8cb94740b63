// What went wrong with the disk, and may we go on? Two answers only: full (writes are refused, everything else goes
// on) and failed (nothing is certain any more, the process must end).

import { EngineError } from '../errors.ts';
import type { DiskFile } from './disk.ts';

/**
 * The disk is full and what was being written has been taken back. Reads and deletes go on. Status 507, as
 * RFC 4918 has it for "insufficient storage".
 */
export class DiskFullError extends EngineError {
  constructor(what: string) {
    super(
      'cluster_block_exception',
      `the disk is full: [${what}] was refused and nothing of it is kept; reads and deletes go on. Free some space and try again`,
      { status: 507 },
    );
  }
}

/**
 * A write or sync failed, so nobody knows what the disk holds: a sync that failed once may succeed the next time
 * without having written anything (https://lwn.net/Articles/752063/). Never retried; the process must end, and the
 * next start reads what is really there.
 */
export class DiskFailure extends Error {
  override readonly name = 'DiskFailure';

  constructor(what: string, cause: unknown) {
    super(`the disk failed while ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Does this rejection of `DiskFile.write` only say that there is no space (or quota) left? */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Syncs a file; rejects with DiskFailure. */
export async function syncOrFail(file: Pick<DiskFile, 'name' | 'sync'>): Promise<void> {
  await file.sync().catch((error: unknown) => {
    throw new DiskFailure(`syncing ${file.name}`, error);
  });
}

/** The system's code of an error, such as 'ENOENT'. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** An error as node:fs makes them: `EIO: i/o error, write 'log/00000001.log'`. */
export class SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;

  constructor(code: string, text: string, syscall: string, path: string) {
    super(`${code}: ${text}, ${syscall} '${path}'`);
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}
