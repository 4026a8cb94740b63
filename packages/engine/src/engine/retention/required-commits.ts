// Which commits the log must have, noted in the catalog, so that a start detects a missing log file. A lost
// file leaves no trace if only the log knew its contents. The catalog has two commits: fresh chunks with
// commits later than `from` are all there until it is noted otherwise; and commit `reached` was acknowledged,
// so the log must not end before it. It is saved when a chunk is begun.

import type { Catalog } from '../../catalog/catalog.ts';
import { DiskFullError } from '../../disk/failure.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { MissingCommits } from '../../log/recovery/replay.ts';

const KEY = ['engine', 'kept'] as const;

/** The record in the catalog; missing if an older Octavo wrote last. */
interface RequiredRecord {
  /** Fresh chunks with commits up to here may be gone. */
  readonly from: number;
  readonly reached: number;
  /** The newest chunk when that was noted. */
  readonly chunk: number;
}

function recordOf(catalog: Pick<Catalog, 'get'>): RequiredRecord | undefined {
  return catalog.get(...KEY) as RequiredRecord | undefined;
}

/** The commits that the log must have. */
export class RequiredCommits {
  /** Reports of missing commits. */
  readonly missing: string[] = [];
  readonly #catalog: Catalog;
  #from: number;
  #reached: number;
  #chunk: number;
  readonly #failed: (error: unknown) => void;

  /** `lastCommit`: of the log. Commits from before the first record are not required. */
  constructor(catalog: Catalog, lastCommit: number, failed: (error: unknown) => void) {
    this.#catalog = catalog;
    const { from = lastCommit, reached = 0, chunk = 0 } = recordOf(catalog) ?? {};
    this.#from = from;
    this.#reached = reached;
    this.#chunk = chunk;
    this.#failed = failed;
  }

  /**
   * Compares the log with the record, or begins one: in a new directory from its first commit, in an older
   * one from now on.
   */
  async begin(
    { lastCommit, newestNumber }: Pick<DocumentLog, 'lastCommit' | 'newestNumber'>,
    note: (line: string) => void,
  ): Promise<void> {
    const was = this.#reached;
    if (lastCommit < was) {
      this.#report(
        `log/: it ends with commit ${lastCommit}, but commit ${was} was there: a file is gone, or`,
        note,
      );
      this.#reached = lastCommit;
      await this.#save();
    } else if (recordOf(this.#catalog) === undefined) await this.#save();
    // The last process may have been killed before it saved the newest chunk.
    if (lastCommit > 0) this.note(lastCommit, newestNumber);
  }

  /** Reports missing commits that should be there. Which documents they wrote is unknown. */
  reportMissing({ first, last }: MissingCommits, note: (line: string) => void): void {
    if (last <= this.#from) return;
    this.#report(
      `log/: commits ${Math.max(first, this.#from + 1)} to ${last} are missing: a file is gone, or`,
      note,
    );
  }

  #report(what: string, note: (line: string) => void): void {
    const line = `${what} cannot be read; documents written then may be missing, or there in an earlier version`;
    this.missing.push(line);
    note(line);
  }

  /**
   * Notes a published commit, or one found when the log was opened; `chunk` is the newest chunk of the log.
   */
  note(commit: number, chunk: number): void {
    if (chunk === this.#chunk) return;
    this.#chunk = chunk;
    this.#reached = commit;
    // On a full disk it is saved with the next chunk.
    this.#save().catch(this.#failed);
  }

  /** To be called before chunks with commits up to this one are removed; false if they have to stay. */
  async allowRemoval(commit: number): Promise<boolean> {
    if (commit <= this.#from) return true;
    const before = this.#from;
    this.#from = commit;
    if (await this.#save()) return true;
    this.#from = before;
    return false;
  }

  /** False if the disk is full. */
  async #save(): Promise<boolean> {
    try {
      const record = { from: this.#from, reached: this.#reached, chunk: this.#chunk };
      await this.#catalog.commit([{ put: [...KEY, record] }]);
      return true;
    } catch (error) {
      if (error instanceof DiskFullError) return false;
      throw error;
    }
  }
}
