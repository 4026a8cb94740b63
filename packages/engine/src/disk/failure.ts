// Errors of the disk, in two classes. Full: the write is refused and everything else goes on. Failed: the
// state of the disk is unknown and the process must end.

import { EngineError } from '../errors.ts';
import type { DiskFile } from './disk.ts';

/**
 * The disk is full and the write was undone. Reads and deletes go on. Status 507 (RFC 4918, "insufficient
 * storage").
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
 * A write or sync failed, so the contents of the disk are unknown: a failed sync may succeed the next time
 * without having written anything (https://lwn.net/Articles/752063/). Never retried. The process must end;
 * the next start reads what is really there.
 */
export class DiskFailure extends Error {
  override readonly name = 'DiskFailure';

  constructor(what: string, cause: unknown) {
    super(`the disk failed while ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Whether a rejection of `DiskFile.write` only means that there is no space or quota left. */
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
