// Expected failures of a command: a sentence for people and an exit code, never a stack trace.

/** Success, failure, and a wrong command line. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Ends the command. The message says what was wrong, where, and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An error of the operating system in plain words. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'it does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'it is not a folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ECONNREFUSED':
      return 'nothing listens there';
    case 'ENOTFOUND':
      return 'the host name is not known';
    case 'EADDRINUSE':
      return 'the port is taken';
    default:
      return error.message || code || error.name;
  }
}
