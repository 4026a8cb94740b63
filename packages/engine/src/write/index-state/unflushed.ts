// What only the log has: documents in tails, and deaths that no file has yet. A start replays them, so the
// log must keep them.

import type { IndexState } from './index-state.ts';

/** The commit after which the log must be replayed at a start. */
export function replayFrom(states: Iterable<IndexState>, published: number): number {
  let from = published;
  for (const state of states) if (hasUnflushed(state)) from = Math.min(from, state.watermark);
  return from;
}

/** Whether an index has documents or deaths that only the log has. */
export function hasUnflushed(state: IndexState): boolean {
  return (
    state.tails.some((tail) => tail.docCount > 0) ||
    state.segments.some(({ leaf, meta }) => leaf.deaths.count > meta.deathCount)
  );
}
