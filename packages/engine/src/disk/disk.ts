// How do bytes get to a disk, and what is certain once they are? Every file of the engine goes through this seam.
// Two drivers: `RealDisk` on node:fs, and `SimulatedDisk`, which knows what was synced and can lose, tear or refuse
// the rest. Names are relative to the data directory, with `/` between folders.

/**
 * An open file. Writes are asynchronous so that the serving thread does not wait, but for short ones that cost it less than
 * waiting does; reads are positional and synchronous.
 */
export interface DiskFile {
  readonly name: string;
  /** Where it is one of the system: other threads of the process can read from it (`readShared`) until it is closed. */
  readonly descriptor?: number;
  /** Length in bytes as far as this process has written it. */
  size(): number;
  /**
   * Writes all parts one after the other from `position` on and returns the bytes written. A full disk shows as a
   * *short count* or as a rejection with code ENOSPC: the caller must compare and truncate back.
   */
  write(parts: readonly Uint8Array[], position: number): Promise<number>;
  /**
   * Writes like `write` and makes these bytes durable, in one step where the system has one; of a short count nothing is
   * certain. A rejection other than for a full disk means that nothing is known, as for `sync`.
   */
  writeThrough(parts: readonly Uint8Array[], position: number): Promise<number>;
  /** Makes everything written so far durable. A rejection means that nothing is known: never retry, end the process. */
  sync(): Promise<void>;
  /** Fills `into` from `position` on; returns the bytes read, less than asked only at the end of the file. */
  readSync(into: Uint8Array, position: number): number;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** A data directory. */
export interface Disk {
  /** Opens for reading and writing; `create` makes it (and its folders) where missing, else a missing file rejects with ENOENT. */
  open(name: string, options?: { create?: boolean }): Promise<DiskFile>;
  /** Where its files are those of the system: other threads can read them there. */
  path?(name: string): string;
  /** Reads a whole file; rejects with ENOENT where there is none. */
  read(name: string): Promise<Uint8Array>;
  /** Atomic within one folder; durable only after `syncFolder`. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Names of the files directly in `folder` ('' is the root), without the folder; empty where it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Makes creations, renames and removals in `folder` durable. */
  syncFolder(folder: string): Promise<void>;
  /** Takes the data directory for this process; rejects with a clear message when another one has it. Returns the release. */
  lock(): Promise<() => Promise<void>>;
}
