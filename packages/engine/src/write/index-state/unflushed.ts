// What only the log has: documents in tails, segments that the catalog does not name yet, and deaths that no
// file has. A start replays them, so the log must keep them.

import type { SegmentsRecord } from '../segment-files/segments-record.ts';
import type { IndexState } from './index-state.ts';

/** The commit after which the log must be replayed at a start. `saving`: a record that is about to be saved. */
export function replayFrom(
  states: Iterable<IndexState>,
  published: number,
  saving?: { readonly state: IndexState; readonly record: SegmentsRecord },
): number {
  let from = published;
  for (const state of states) {
    const saved = state === saving?.state ? saving.record : state.saved;
    if (hasUnflushed(state, saved)) from = Math.min(from, saved.watermark);
  }
  return from;
}

/** Whether an index has documents or deaths that only the log has. */
export function hasUnflushed(state: IndexState, saved: SegmentsRecord = state.saved): boolean {
  return (
    !isSaved(state, saved) ||
    state.tails.some((tail) => tail.docCount > 0) ||
    state.segments.some(({ leaf }, i) => leaf.deaths.count > saved.segments[i]!.deathCount)
  );
}

/** Whether the catalog names the segments of an index. */
export function isSaved({ segments, watermark }: IndexState, saved: SegmentsRecord): boolean {
  return (
    saved.watermark === watermark &&
    saved.segments.length === segments.length &&
    segments.every(({ meta }, i) => meta.number === saved.segments[i]!.number)
  );
}
