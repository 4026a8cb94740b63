// Errors of the disk, in two classes. Out of room (space, quota, file descriptors): the write is refused and
// everything else goes on. Failed: the state of the disk is unknown and the process must end.

import { EngineError } from '../errors.ts';
import type { DiskFile } from './disk.ts';

const MB = 1 << 20;

/**
 * The disk is full, or the process has no file descriptor left, and the write was undone. Reads and deletes
 * go on. Status 507 (RFC 4918, "insufficient storage").
 */
export class DiskFullError extends EngineError {
  /** `cause`: what the disk said. `bytes`: the free space with which the write would have succeeded, if it is known. */
  constructor(what: string, cause?: unknown, bytes?: number) {
    const descriptors = lacksDescriptors(cause);
    const state = descriptors ? 'no file descriptor is left' : 'the disk is full';
    const cure = descriptors
      ? 'Try again later, or start the server with a higher limit of open files (ulimit -n)'
      : `Free ${bytes === undefined ? 'some space' : `at least ${Math.ceil(bytes / MB)} MB`} and try again`;
    super(
      'cluster_block_exception',
      `${state}: [${what}] was refused and nothing of it is kept; reads and deletes go on. ${cure}`,
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

/** Whether a rejection only means that there is no space, quota or file descriptor left: nothing was done. */
export function isOutOfRoom(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || lacksDescriptors(error);
}

/** The limit of the process (EMFILE) or of the system (ENFILE). */
function lacksDescriptors(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
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
