// How does the document log give space back? A chunk that is more than half dead is emptied by the merges that touch
// it: the sources that a merge keeps are written again elsewhere, and the chunk is removed once nothing points into it.

import type { DocumentLog } from '../log/log.ts';
import type { LogPointer, MovedEntry } from '../log/record.ts';
import type { MergeInput } from '../merge/remap.ts';
import type { IndexState } from './index-state.ts';

/** A chunk is emptied when less than this share of it is still needed. */
const LIVE_SHARE = 0.5;

/** Chunks worth emptying: closed, before the replay, and mostly dead. O(documents). */
export function sparseChunks(
  log: DocumentLog,
  states: Iterable<IndexState>,
  replayFrom: number,
): Set<number> {
  const chunks = log.chunks();
  const newest = chunks.findLast((chunk) => chunk.kind === 'fresh')?.number;
  const closed = new Map(
    chunks
      .filter((chunk) => chunk.number !== newest && chunk.lastCommit <= replayFrom)
      .map((chunk) => [chunk.number, { bytes: chunk.bytes, live: 0 }]),
  );
  if (closed.size === 0) return new Set();
  for (const state of states) {
    for (const { docs, docCount, deaths } of state.runs()) {
      for (let doc = 0; doc < docCount; doc++) {
        const chunk = closed.get(docs.sourceChunk(doc));
        if (chunk !== undefined && !deaths.isDead(doc)) chunk.live += docs.sourceLength(doc);
      }
    }
  }
  return new Set(
    [...closed].filter(([, { bytes, live }]) => live < bytes * LIVE_SHARE).map(([number]) => number),
  );
}

/** Writes the kept sources of these chunks again; returns where each is now, by input and document. */
export async function moveSources(
  log: DocumentLog,
  state: IndexState,
  inputs: readonly MergeInput[],
  chunks: ReadonlySet<number>,
): Promise<((input: number, doc: number) => LogPointer | undefined) | undefined> {
  const places: { input: number; doc: number }[] = [];
  inputs.forEach(({ leaf, drop }, input) => {
    for (let doc = 0; doc < leaf.docCount; doc++) {
      const dropped = drop !== undefined && ((drop[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
      if (!dropped && chunks.has(leaf.docs.sourceChunk(doc))) places.push({ input, doc });
    }
  });
  if (places.length === 0) return undefined;
  // Inputs follow each other in commit order, so the records do too.
  const pointers = await log.appendMoved(records(log, state, inputs, places));
  const moved = inputs.map(() => new Map<number, LogPointer>());
  for (const [i, { input, doc }] of places.entries()) moved[input]!.set(doc, pointers[i]!);
  return (input, doc) => moved[input]!.get(doc);
}

function* records(
  log: DocumentLog,
  state: IndexState,
  inputs: readonly MergeInput[],
  places: readonly { input: number; doc: number }[],
): Generator<MovedEntry> {
  for (const { input, doc } of places) {
    const { docs } = inputs[input]!.leaf;
    yield {
      indexNumber: state.number,
      commit: docs.commit(doc),
      seqNo: docs.seqNo(doc),
      version: docs.version(doc),
      id: docs.idBytes.subarray(docs.idStarts[doc], docs.idStarts[doc + 1]),
      type: docs.type(doc),
      routing: docs.routing(doc),
      source: log.read(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc)),
    };
  }
}
