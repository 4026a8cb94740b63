// Does anybody read events of documents that are elsewhere? Whoever reads notes it in the records, once an hour; whoever
// writes looks there, once a second.

import { lastFollowed, type Records, recordFollower } from '@octavo/records';
import { Glance } from '../observe/recent-value.ts';

const NOTE_MS = 3_600_000;

/** Who reads events of documents, at any server over the same records. */
export class Followers {
  readonly #records: Pick<Records, 'read' | 'write'>;
  readonly #forgetMs: number;
  readonly #glance: Glance<boolean>;
  #notedAt = Number.NEGATIVE_INFINITY;

  /** Who has not read for `forgetMs` is none any more: what it has missed by then is not kept. */
  constructor(records: Pick<Records, 'read' | 'write'>, forgetMs: number) {
    this.#records = records;
    this.#forgetMs = forgetMs;
    this.#glance = new Glance(async () => {
      const { last, now } = await records.read(lastFollowed, {});
      return last !== undefined && now - last < this.#forgetMs;
    });
  }

  /** True where somebody reads, or nobody can tell. */
  async areThere(): Promise<boolean> {
    return this.#isNoted || (await this.#glance.look()) !== false;
  }

  /** Somebody reads now. Records that do not take the note are asked again by the next reader. */
  async note(): Promise<void> {
    if (this.#isNoted) return;
    const before = this.#notedAt;
    this.#notedAt = performance.now();
    try {
      await this.#records.write(recordFollower, {});
    } catch {
      this.#notedAt = before;
    }
  }

  get #isNoted(): boolean {
    return performance.now() - this.#notedAt < Math.min(NOTE_MS, this.#forgetMs);
  }
}
