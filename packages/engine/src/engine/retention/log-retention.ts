// Which indices keep the log from forgetting? One that takes few writes may have its first unsealed document far back:
// every start would replay everything since, and no chunk since could go. Such an index is sealed ahead of its time.

import type { DocumentLog } from '../../log/log.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { hasUnflushed } from '../../write/index-state/unflushed.ts';
import type { Maintenance } from '../../write/maintenance/maintenance.ts';

/** Chunks that a start may have to replay. */
const CHUNKS_BEHIND = 4;

/** Looks for indices that are far behind whenever the log has begun a chunk. */
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

  /** To be called after commits. O(1), but O(chunks) where one was begun. */
  check(): void {
    const newest = this.#log.newestNumber;
    if (newest === this.#seen) return;
    this.#seen = newest;
    const oldest = this.#log.chunks().at(-CHUNKS_BEHIND)?.firstCommit;
    if (oldest === undefined) return;
    for (const state of this.#states()) {
      if (state.watermark >= oldest || !hasUnflushed(state) || this.#busy.has(state)) continue;
      this.#busy.add(state);
      // A job that fails has told the engine already.
      void this.#maintenance
        .catchUp(state)
        .catch(() => {})
        .finally(() => this.#busy.delete(state));
    }
  }
}
