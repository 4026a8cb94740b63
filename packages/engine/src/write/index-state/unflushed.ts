// What does only the log know? Documents of tails, and deaths that no file has yet: a start replays them, so the log keeps them.

import type { IndexState } from './index-state.ts';

/** Oldest commit (exclusive) from which the log must be replayed at start. */
export function replayFrom(states: Iterable<IndexState>, published: number): number {
  let from = published;
  for (const state of states) if (hasUnflushed(state)) from = Math.min(from, state.watermark);
  return from;
}

/** Does an index have anything that only the log knows? */
export function hasUnflushed(state: IndexState): boolean {
  return (
    state.tails.some((tail) => tail.docCount > 0) ||
    state.segments.some(({ leaf, meta }) => leaf.deaths.count > meta.deathCount)
  );
}
