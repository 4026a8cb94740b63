// Flushes indices that keep the log from being trimmed. An index with few writes may have its first unsealed
// document far back in the log: every start would replay all since then, and no chunk since then could be
// removed. Such an index is sealed early.

import type { DocumentLog } from '../../log/log.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { hasUnflushed } from '../../write/index-state/unflushed.ts';
import type { Maintenance } from '../../write/maintenance/maintenance.ts';

/** Chunks that a start may have to replay. */
const CHUNKS_BEHIND = 4;

/** Looks for such indices whenever the log has begun a chunk. */
export class LogRetention {
  readonly #log: DocumentLog;
  readonly #states: () => Iterable<IndexState>;
  readonly #maintenance: Maintenance;
  #seen = 0;
  readonly #busy = new Set<IndexState>();

  constructor(log: DocumentLog, states: () => Iterable<IndexState>, maintenance: Maintenance) {
    this.#log = log;
    this.#states = states;
    this.#maintenance = maintenance;
  }

  /** To be called after commits. O(1), or O(chunks) if a chunk was begun. */
  check(): void {
    const newest = this.#log.newestNumber;
    if (newest === this.#seen) return;
    this.#seen = newest;
    const oldest = this.#log.chunks().at(-CHUNKS_BEHIND)?.firstCommit;
    if (oldest === undefined) return;
    for (const state of this.#states()) {
      if (state.saved.watermark >= oldest || !hasUnflushed(state) || this.#busy.has(state)) continue;
      this.#busy.add(state);
      // Maintenance reports a failure itself.
      void this.#maintenance
        .catchUp(state)
        .catch(() => {})
        .finally(() => this.#busy.delete(state));
    }
  }
}
