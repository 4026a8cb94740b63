// Which chunks of the log does nothing need any more? Those that lie before the replay and hold no source of a
// document that a leaf still has.

import type { DocumentLog } from '../log/log.ts';
import type { IndexState } from '../write/index-state.ts';
import { replayFrom } from '../write/maintenance.ts';

/** Removes such chunks. O(documents) when there is a candidate, else O(chunks). */
export async function dropUnusedChunks(
  log: DocumentLog,
  states: Iterable<IndexState>,
  published: number,
): Promise<void> {
  const all = [...states];
  const from = replayFrom(all, published);
  const chunks = log.chunks();
  const newest = chunks.findLast((chunk) => chunk.kind === 'fresh')?.number;
  const candidates = new Set(
    chunks
      .filter((chunk) => chunk.number !== newest && chunk.lastCommit <= from)
      .map((chunk) => chunk.number),
  );
  if (candidates.size === 0) return;
  for (const state of all) {
    for (const { docs, docCount } of state.leaves()) {
      for (let doc = 0; doc < docCount; doc++) candidates.delete(docs.sourceChunk(doc));
      if (candidates.size === 0) return;
    }
  }
  for (const chunk of candidates) await log.removeChunk(chunk);
}
