// What has to be in the log, so that a start can tell what is missing? A file that is gone leaves no trace where only the log
// knew what was in it. So the catalog knows two commits: files with later ones than the first are all there, until it is told
// otherwise; and the second one was acknowledged, so the log should not end before it. That is noted when a file is begun.

import type { Catalog } from '../../catalog/catalog.ts';
import { DiskFullError } from '../../disk/failure.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { MissingCommits } from '../../log/recovery/replay.ts';

const KEY = ['engine', 'kept'] as const;

/** As the catalog has it; there is none where an older Octavo wrote last. */
interface KeptRecord {
  /** Fresh chunks with commits up to here may be gone. */
  readonly from: number;
  readonly reached: number;
  /** The newest chunk when that was noted. */
  readonly chunk: number;
}

function recordOf(catalog: Pick<Catalog, 'get'>): KeptRecord | undefined {
  return catalog.get(...KEY) as KeptRecord | undefined;
}

/** What the log keeps. */
export class RequiredCommits {
  /** What was told to be missing. */
  readonly missing: string[] = [];
  readonly #catalog: Catalog;
  #from: number;
  #reached: number;
  #chunk: number;
  readonly #failed: (error: unknown) => void;

  /** `lastCommit`: of the log. What was there before anybody kept account is not missed. */
  constructor(catalog: Catalog, lastCommit: number, failed: (error: unknown) => void) {
    this.#catalog = catalog;
    const { from = lastCommit, reached = 0, chunk = 0 } = recordOf(catalog) ?? {};
    this.#from = from;
    this.#reached = reached;
    this.#chunk = chunk;
    this.#failed = failed;
  }

  /** Begins to keep account where nobody did: in a new directory from its first commit on, in an older one from now on. */
  async begin(
    { lastCommit, newestNumber }: Pick<DocumentLog, 'lastCommit' | 'newestNumber'>,
    note: (line: string) => void,
  ): Promise<void> {
    const was = this.#reached;
    if (lastCommit < was) {
      this.#tell(
        `log/: it ends with commit ${lastCommit}, but commit ${was} was there: a file is gone, or`,
        note,
      );
      this.#reached = lastCommit;
      await this.#save();
    } else if (recordOf(this.#catalog) === undefined) await this.#save();
    // Whoever wrote last may have been killed before it was noted.
    if (lastCommit > 0) this.note(lastCommit, newestNumber);
  }

  /** Tells of missing commits those that should be there, if any: which documents they wrote, nobody knows. */
  reportMissing({ first, last }: MissingCommits, note: (line: string) => void): void {
    if (last <= this.#from) return;
    this.#tell(
      `log/: commits ${Math.max(first, this.#from + 1)} to ${last} are missing: a file is gone, or`,
      note,
    );
  }

  #tell(what: string, note: (line: string) => void): void {
    const line = `${what} cannot be read; documents written then may be missing, or there in an earlier version`;
    this.missing.push(line);
    note(line);
  }

  /** A commit is published, or was there when the log was opened; `chunk` is the newest one of the log. */
  note(commit: number, chunk: number): void {
    if (chunk === this.#chunk) return;
    this.#chunk = chunk;
    this.#reached = commit;
    // On a full disk it is noted with the next chunk.
    this.#save().catch(this.#failed);
  }

  /** To be called before chunks with commits up to this one are removed; false where they have to stay. */
  async allowRemoval(commit: number): Promise<boolean> {
    if (commit <= this.#from) return true;
    const before = this.#from;
    this.#from = commit;
    if (await this.#save()) return true;
    this.#from = before;
    return false;
  }

  /** False where the disk is full. */
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
