// What does a start leave for later? The words of segments, which stay packed in their files, merges that were due, looking
// for chunks that nothing needs any more, and the reading of the whole log for damage: all take as long as there are
// documents, and who waits for a first page needs none of it. Before that, words come if a search needs them or a merge reads
// them, the first write begins the merges, and what is read of the log is checked when it is read.

import type { DocumentLog } from '../../log/log.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { SegmentStore } from '../../write/segment-files/segment-store.ts';

/** So long after the start it begins, in milliseconds. */
const SOON_MS = 5_000;

/** What is worked on. */
export interface DeferredStartEnvironment {
  readonly log: DocumentLog;
  readonly store: SegmentStore;
  readonly states: readonly IndexState[];
  /** Takes up again what the last process left undone. */
  readonly upkeep: () => Promise<void>;
  /** All of the log has been read. */
  readonly onLogChecked: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** What goes on when a start is over. */
export class DeferredStart {
  readonly #env: DeferredStartEnvironment;
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(env: DeferredStartEnvironment) {
    this.#env = env;
    this.#timer = setTimeout(() => void this.#run(), SOON_MS).unref();
  }

  /** What is under way ends soon; nobody may search from now on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const state of this.#env.states) for (const { leaf } of state.segments) leaf.packedTerms?.stop();
  }

  async #run(): Promise<void> {
    await this.#unpack();
    if (!this.#closed) await this.#env.upkeep().catch(this.#env.onFailure);
    // What cannot be read now is refused when it is asked for.
    if (!this.#closed) await this.#env.log.check().then(this.#env.onLogChecked, () => {});
  }

  /** One segment after the other: each has pieces for all threads of the pool. */
  async #unpack(): Promise<void> {
    for (const state of this.#env.states) {
      for (const { meta, leaf } of [...state.segments]) {
        if (this.#closed) return;
        try {
          await leaf.packedTerms?.unpack();
        } catch (error) {
          // The checksums were right and what they cover is not: nothing can be read there.
          await this.#env.store.invalidate(state.number, meta).catch(() => {});
          this.#env.onFailure(error);
        }
      }
    }
  }
}
