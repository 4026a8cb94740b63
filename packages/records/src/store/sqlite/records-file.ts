// records.db as its writer has it open: the connection, the checkpoints of its log, its page checksums, its commit mark.
//
// - A checkpoint runs between two groups, once the log has 4 MB: checksums first, synced, then the pages. No write runs meanwhile.
// - SQLite itself never checkpoints, neither with a commit nor when a process ends without closing: it would not write the checksums.
//   The last connection to close would checkpoint, so the last one is read-only.
// - Descriptors of its files stay open as long as a connection is: closing one releases the locks of the process (fcntl).

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { isBusy, severityOf } from '../../contracts/store-errors.ts';
import { CommitMark } from '../pages/commit-mark.ts';
import { describeDamagedPages, PageSums, sumsFile } from '../pages/page-sums.ts';
import { WalReader } from '../pages/wal.ts';
import { openForWriting, openLogGuard, recordsPath } from './connection.ts';

/** Pages of 4 KB that the log may have before they are moved into the database (4 MB). */
const CHECKPOINT_PAGES = 1_024;

/** Where the index of the log says how many frames it has (https://sqlite.org/walformat.html): a u32 of the machine's order. */
const FRAMES_AT = 16;

/** A file that is open for writing. */
export class RecordsFile {
  readonly database: DatabaseSync;
  readonly #dir: string;
  readonly #checkpointPages: number;
  readonly #checkpointer: DatabaseSync;
  readonly #guard: DatabaseSync;
  /** Open as long as the connections. */
  readonly #descriptors: number[] = [];
  #parts:
    | {
        readonly file: number;
        readonly index: number;
        readonly reader: WalReader;
        readonly sums: PageSums;
      }
    | undefined;
  #mark: CommitMark | undefined;
  /** Pages in the log; a checkpoint may have moved them already. */
  readonly #inLog = new Set<number>();
  /** Checksums that are not durable yet, by page. */
  readonly #unsaved = new Map<number, number>();
  #pages = 0;
  /** Frames of the log at the last checkpoint. */
  #moved = 0;
  readonly #word = new Uint32Array(1);
  #nextPage = 1;
  readonly #reported = new Set<number>();
  readonly #atExit = (): void => this.close();

  /**
   * `checkpointPages`: of the log, after which they are moved. REQUIRES: the lock of the records is held, and the file was
   * checked (startup-check.ts).
   */
  constructor(dir: string, checkpointPages: number = CHECKPOINT_PAGES) {
    this.#dir = dir;
    this.#checkpointPages = checkpointPages;
    const opened: DatabaseSync[] = [];
    const open = (how: (dir: string) => DatabaseSync): DatabaseSync => {
      const database = how(dir);
      opened.unshift(database);
      return database;
    };
    try {
      // First where there are checksums, and so closed last. Without them there is nothing to guard, and a start that failed while
      // the file was new may have left a journal, which only a connection that writes can undo.
      const guard = existsSync(sumsFile(dir)) ? open(openLogGuard) : undefined;
      this.database = open(openForWriting);
      this.#checkpointer = open(openForWriting);
      this.#guard = guard ?? open(openLogGuard);
    } catch (error) {
      for (const database of opened) database.close();
      throw error;
    }
    // For a worker, the main thread guards the log until the process ends (open.ts).
    if (isMainThread) process.once('exit', this.#atExit);
  }

  /** Begins to maintain checksums, and the mark of records that have an identity. REQUIRES: the schema is the newest. */
  begin(id: string | undefined, commits: number): void {
    const open = (part: string): number => {
      const descriptor = openSync(recordsPath(this.#dir) + part, 'r');
      this.#descriptors.push(descriptor);
      return descriptor;
    };
    const [file, log, index] = [open(''), open('-wal'), open('-shm')];
    const found = PageSums.read(this.#dir);
    found?.begin();
    const sums = found ?? PageSums.make(this.#dir, file);
    this.#parts = { file, index, reader: new WalReader(log), sums };
    this.#checkpoint();
    if (id === undefined) return;
    this.#mark = new CommitMark(this.#dir, id);
    this.#mark.write(commits);
  }

  /** Records the number of committed groups. */
  committed(commits: number): void {
    this.#mark?.write(commits);
  }

  /** Checkpoints when it is due. REQUIRES: no transaction is open. Returns found damage in words. Throws if the device has failed. */
  settle(): string | undefined {
    if (this.#parts === undefined) return undefined;
    const frames = this.#frames(this.#parts.index);
    // The log was restarted.
    if (frames < this.#moved) this.#moved = 0;
    if (frames - this.#moved < this.#checkpointPages) return undefined;
    try {
      return this.#checkpoint();
    } catch (error) {
      if (severityOf(error) === 'device') throw error;
      // A full disk: the log has everything, and the checkpoint runs again when it has grown.
      return undefined;
    }
  }

  /** Checks the next pages of the database, at most `count`, and wraps around at its end. Returns found damage in words. */
  check(count: number): string | undefined {
    if (this.#parts === undefined) return undefined;
    const { sums, file } = this.#parts;
    const found = sums
      .damaged(file, this.#nextPage, count, this.#inLog)
      .filter((page) => !this.#reported.has(page));
    this.#nextPage += count;
    if (this.#nextPage > sums.pages) this.#nextPage = 1;
    for (const page of found) this.#reported.add(page);
    return found.length === 0 ? undefined : describeDamagedPages(found, sums.pageSize);
  }

  /** Moves the log into the database and removes it, unless that fails or another process has the records open. */
  close(): void {
    process.off('exit', this.#atExit);
    let isMoved = false;
    try {
      // Without its checksums the log must stay as it is.
      isMoved = this.#parts !== undefined && this.#checkpoint() === undefined;
    } catch {
      // Pages that could not be moved stay in the log.
    }
    if (isMoved) this.#guard.close();
    this.#checkpointer.close();
    this.database.close();
    if (!isMoved) this.#guard.close();
    this.#parts?.sums.close();
    this.#mark?.close();
    for (const each of this.#descriptors.splice(0)) closeSync(each);
    this.#parts = undefined;
  }

  #frames(index: number): number {
    readSync(index, this.#word, 0, 4, FRAMES_AT);
    return this.#word[0]!;
  }

  #checkpoint(): string | undefined {
    if (this.#parts === undefined) return undefined;
    const { reader, sums } = this.#parts;
    try {
      this.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      // Another process moves the records.
      if (isBusy(error)) return undefined;
      throw error;
    }
    try {
      this.#moved = this.#frames(this.#parts.index);
      const { sums: changed, pages, isNew } = reader.scan(this.#moved);
      if (isNew) this.#inLog.clear();
      for (const [page, sum] of changed) {
        this.#inLog.add(page);
        this.#unsaved.set(page, sum);
      }
      if (pages > 0) this.#pages = pages;
      const damage = reader.damage();
      if (damage !== undefined) return `records.db-wal: ${damage}`;
      if (this.#unsaved.size > 0) sums.take(this.#unsaved, this.#pages);
      this.#unsaved.clear();
      const moving = this.#checkpointer.prepare('PRAGMA wal_checkpoint(PASSIVE)');
      const moved = moving.get() as unknown as Checkpointed;
      if (moved.busy === 0 && moved.log === moved.checkpointed) this.#inLog.clear();
      return undefined;
    } finally {
      this.database.exec('ROLLBACK');
    }
  }
}

interface Checkpointed {
  readonly busy: number;
  /** Frames of the log, and how many of them were moved. */
  readonly log: number;
  readonly checkpointed: number;
}
