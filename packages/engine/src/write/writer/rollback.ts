// What is left of commits that the disk refused? Nothing: no documents, no deaths, no fields, and their numbers are given again.

import type { IndexState } from '../index-state.ts';

/** Takes back everything after `commit` in an index, where `nextSeqNo` was next. */
export function takeBack(state: IndexState, commit: number, nextSeqNo: number): void {
  for (const leaf of state.runs()) leaf.deaths.truncate(leaf.deaths.countAt(commit));
  for (const tail of state.tails) {
    let count = 0;
    for (const leaf of tail.runs()) count += leaf.docs.countAt(commit);
    tail.truncate(count);
  }
  state.tombstones.removeFrom(nextSeqNo);
  state.nextSeqNo = nextSeqNo;
  state.mapping = state.certainMapping;
  state.takenBack++;
  state.changed();
}
