// Does anybody read events of documents that are elsewhere? Whoever reads notes it in the records, once an hour; whoever
// writes looks there, once a second.

import { followedAt, noteFollower, type Records } from '@octavo/records';
import { RecentValue } from '../observe/recent-value.ts';

const NOTE_MS = 3_600_000;

/** Who reads events of documents, at any server over the same records. */
export class Followers {
  readonly #records: Pick<Records, 'read' | 'write'>;
  readonly #forgetMs: number;
  readonly #recent: RecentValue<boolean>;
  #recordedAt = Number.NEGATIVE_INFINITY;

  /** Who has not read for `forgetMs` is none any more: what it has missed by then is not kept. */
  constructor(records: Pick<Records, 'read' | 'write'>, forgetMs: number) {
    this.#records = records;
    this.#forgetMs = forgetMs;
    this.#recent = new RecentValue(async () => {
      const { last, now } = await records.read(followedAt, {});
      return last !== undefined && now - last < this.#forgetMs;
    });
  }

  /** True where somebody reads, or nobody can tell. */
  async exist(): Promise<boolean> {
    return this.#isRecorded || (await this.#recent.get()) !== false;
  }

  /** Somebody reads now. Records that do not take the note are asked again by the next reader. */
  async recordReader(): Promise<void> {
    if (this.#isRecorded) return;
    const before = this.#recordedAt;
    this.#recordedAt = performance.now();
    try {
      await this.#records.write(noteFollower, {});
    } catch {
      this.#recordedAt = before;
    }
  }

  get #isRecorded(): boolean {
    return performance.now() - this.#recordedAt < Math.min(NOTE_MS, this.#forgetMs);
  }
}
