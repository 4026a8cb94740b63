// When do the words of segments come, which a start leaves packed in their files? A moment after it, when whoever waits for
// lists has them; before that, if a search needs words or a merge reads them.

import type { IndexState } from '../write/index-state.ts';
import type { SegmentStore } from '../write/segment-store.ts';

/** So long after the start, in milliseconds. */
const SOON_MS = 1_000;

/** Unpacks the words of all segments that a start has loaded. */
export class WordsLater {
  readonly #store: SegmentStore;
  readonly #states: readonly IndexState[];
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(store: SegmentStore, states: readonly IndexState[], failed: (error: unknown) => void) {
    this.#store = store;
    this.#states = states;
    this.#failed = failed;
    this.#timer = setTimeout(() => void this.#unpack(), SOON_MS).unref();
  }

  /** What is under way ends soon; nobody may search from now on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const state of this.#states) for (const { leaf } of state.segments) leaf.words?.stop();
  }

  /** One segment after the other: each has pieces for all threads of the pool. */
  async #unpack(): Promise<void> {
    for (const state of this.#states) {
      for (const { meta, leaf } of [...state.segments]) {
        if (this.#closed) return;
        try {
          await leaf.words?.words();
        } catch (error) {
          // The checksums were right and what they cover is not: nothing can be read there.
          await this.#store.distrust(state.number, meta).catch(() => {});
          this.#failed(error);
        }
      }
    }
  }
}
