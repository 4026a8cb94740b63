// The seam between the engine and its files. Every file goes through it. Two drivers: the real one on
// node:fs, and `SimulatedDisk`, which knows what was synced and can lose, tear or refuse the rest. Names are
// relative to the data directory, with `/` between folders.

/**
 * An open file. Writes are asynchronous, so that the serving thread does not wait; short ones may run in
 * place if that is faster (sync-write-policy.ts). Reads are positional and synchronous.
 */
export interface DiskFile {
  readonly name: string;
  /**
   * The file descriptor, if it is a file of the system: other threads can read from it (`readDescriptor`)
   * until it is closed.
   */
  readonly descriptor?: number;
  /** Length in bytes as far as this process has written it. */
  size(): number;
  /**
   * Writes all parts one after the other from `position` on and returns the bytes written. A full disk shows
   * as a *short count* or as a rejection with code ENOSPC: the caller must compare, and truncate back.
   */
  write(parts: readonly Uint8Array[], position: number): Promise<number>;
  /**
   * Writes like `write` and makes these bytes durable, in one system call if there is one. After a short
   * count none of them need be durable. A rejection other than for a full disk means that the state is
   * unknown, as for `sync`.
   */
  writeThrough(parts: readonly Uint8Array[], position: number): Promise<number>;
  /**
   * Makes everything written so far durable. After a rejection the state is unknown: never retry, end the
   * process.
   */
  sync(): Promise<void>;
  /**
   * Fills `into` from `position` on; returns the bytes read, fewer than asked only at the end of the file.
   */
  readSync(into: Uint8Array, position: number): number;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** A data directory. */
export interface Disk {
  /**
   * Opens for reading and writing; `create` makes a missing file and its folders, else it rejects with
   * ENOENT. Without a free file descriptor (EMFILE, ENFILE) it creates nothing.
   */
  open(name: string, options?: { create?: boolean }): Promise<DiskFile>;
  /** Path of a file, if it is a file of the system: other threads can open it. */
  path?(name: string): string;
  /** Reads a whole file; rejects with ENOENT if it is missing. */
  read(name: string): Promise<Uint8Array>;
  /** Atomic within one folder; durable only after `syncFolder`. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * Names of the files directly in `folder` ('' is the root), without the folder; empty if it does not exist.
   */
  list(folder: string): Promise<string[]>;
  /**
   * Makes creations, renames and removals in `folder` durable. Needs no file descriptor once a file was
   * created there: after a rename nobody could tell what a refused sync has left.
   */
  syncFolder(folder: string): Promise<void>;
  /** Locks the data directory for this process; rejects if another one has it. Returns the release. */
  lock(): Promise<() => Promise<void>>;
}
