// Whether anybody follows events of documents in a cluster. Followers are recorded in the records, once an
// hour; writers check there, once a second.

import { lastFollowed, type Records, recordFollower } from '@octavo/records';
import { RecentValue } from '../observe/recent-value.ts';

const NOTE_MS = 3_600_000;

/** The followers at all servers over the same records. */
export class Followers {
  readonly #records: Pick<Records, 'read' | 'write'>;
  readonly #forgetMs: number;
  readonly #recent: RecentValue<boolean>;
  #recordedAt = Number.NEGATIVE_INFINITY;

  /** A follower that has not read for `forgetMs` is dropped: by then it has missed expired events. */
  constructor(records: Pick<Records, 'read' | 'write'>, forgetMs: number) {
    this.#records = records;
    this.#forgetMs = forgetMs;
    this.#recent = new RecentValue(async () => {
      const { last, now } = await records.read(lastFollowed, {});
      return last !== undefined && now - last < this.#forgetMs;
    });
  }

  /** True if there are followers, or if the records cannot be read. */
  async exist(): Promise<boolean> {
    return this.#isRecorded || (await this.#recent.get()) !== false;
  }

  /** Records that somebody is reading. After a failure the next reader tries again. */
  async recordReader(): Promise<void> {
    if (this.#isRecorded) return;
    const before = this.#recordedAt;
    this.#recordedAt = performance.now();
    try {
      await this.#records.write(recordFollower, {});
    } catch {
      this.#recordedAt = before;
    }
  }

  get #isRecorded(): boolean {
    return performance.now() - this.#recordedAt < Math.min(NOTE_MS, this.#forgetMs);
  }
}
