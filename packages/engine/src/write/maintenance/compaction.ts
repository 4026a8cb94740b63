// Compaction of the document log. A chunk that is more than half dead is emptied by the merges that touch it:
// a merge writes the sources it keeps again to a new chunk, and the sweeper removes the old chunk once no
// leaf points into it.

import { EngineError } from '../../errors.ts';
import type { MovedEntry } from '../../log/format/record.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { MovedSource } from '../../merge/merge-documents.ts';
import type { MergeInput } from '../../merge/remap.ts';
import { Turn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';

/** A chunk is emptied when less than this share of it is still needed. */
const LIVE_SHARE = 0.5;

/** Documents between two looks at the clock, less one. */
const SLICE = 8191;

/**
 * Chunks worth emptying: closed, not needed for replay, mostly dead. O(documents), in slices. REQUIRES: a
 * reading of the memory is open.
 */
export async function sparseChunks(
  log: DocumentLog,
  states: Iterable<IndexState>,
  replayFrom: number,
): Promise<Set<number>> {
  const chunks = log.chunks();
  const newest = chunks.findLast((chunk) => chunk.kind === 'fresh')?.number;
  const closed = new Map(
    chunks
      .filter((chunk) => chunk.number !== newest && chunk.lastCommit <= replayFrom)
      .map((chunk) => [chunk.number, { bytes: chunk.bytes, live: 0 }]),
  );
  if (closed.size === 0) return new Set();
  const turn = new Turn();
  for (const state of [...states]) {
    for (const { docs, docCount, deaths } of state.ranges()) {
      for (let doc = 0; doc < docCount; doc++) {
        if ((doc & SLICE) === SLICE && turn.isOver()) await turn.next();
        const chunk = closed.get(docs.sourceChunk(doc));
        if (chunk !== undefined && !deaths.isDead(doc)) chunk.live += docs.sourceLength(doc);
      }
    }
  }
  return new Set(
    [...closed].filter(([, { bytes, live }]) => live < bytes * LIVE_SHARE).map(([number]) => number),
  );
}

/** New positions of the sources of one input, by document; NOT_MOVED if unchanged. */
export interface MovedSources {
  readonly chunks: Uint32Array;
  readonly offsets: Uint32Array;
}

const NOT_MOVED = 0xffff_ffff;

/** A lookup of new source positions for a merge; undefined if nothing has moved. */
export function relocationOf(
  moved: readonly (MovedSources | undefined)[],
): ((input: number, doc: number) => MovedSource | undefined) | undefined {
  if (moved.every((one) => one === undefined)) return undefined;
  return (input, doc) => {
    const one = moved[input];
    if (one === undefined || one.chunks[doc] === NOT_MOVED) return undefined;
    return { chunk: one.chunks[doc]!, offset: one.offsets[doc]! };
  };
}

/** A document of an input of a merge. */
interface SourcePlace {
  readonly input: number;
  readonly doc: number;
}

/**
 * Writes the sources that a merge keeps of these chunks again; returns their new positions by input. A
 * damaged source stays.
 */
export async function moveSources(
  log: DocumentLog,
  state: IndexState,
  inputs: readonly MergeInput[],
  chunks: ReadonlySet<number>,
): Promise<(MovedSources | undefined)[]> {
  const places: SourcePlace[] = [];
  inputs.forEach(({ leaf, drop }, input) => {
    for (let doc = 0; doc < leaf.docCount; doc++) {
      const dropped = drop !== undefined && ((drop[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
      if (!dropped && chunks.has(leaf.docs.sourceChunk(doc))) places.push({ input, doc });
    }
  });
  const moved = inputs.map((): MovedSources | undefined => undefined);
  if (places.length === 0) return moved;
  const read: SourcePlace[] = [];
  // Inputs follow each other in commit order, so the records do too.
  const pointers = await log.appendMoved(records(log, state, inputs, places, read));
  for (const [i, { input, doc }] of read.entries()) {
    const { docCount } = inputs[input]!.leaf;
    moved[input] ??= {
      chunks: new Uint32Array(docCount).fill(NOT_MOVED),
      offsets: new Uint32Array(docCount),
    };
    moved[input].chunks[doc] = pointers[i]!.chunk;
    moved[input].offsets[doc] = pointers[i]!.offset;
  }
  return moved;
}

/** The records of documents; those whose sources can be read are added to `read`. */
function* records(
  log: DocumentLog,
  state: IndexState,
  inputs: readonly MergeInput[],
  places: readonly SourcePlace[],
  read: SourcePlace[],
): Generator<MovedEntry> {
  for (const place of places) {
    const { doc } = place;
    const { docs } = inputs[place.input]!.leaf;
    const source = sourceOf(log, docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc));
    if (source === undefined) continue;
    read.push(place);
    yield {
      indexNumber: state.number,
      commit: docs.commit(doc),
      seqNo: docs.seqNo(doc),
      version: docs.version(doc),
      id: docs.idBytes.subarray(docs.idStarts[doc], docs.idStarts[doc + 1]),
      type: docs.type(doc),
      routing: docs.routing(doc),
      source,
    };
  }
}

/** Undefined if it is damaged: reading that document reports the damage. */
function sourceOf(log: DocumentLog, chunk: number, offset: number, length: number): Uint8Array | undefined {
  try {
    return log.read(chunk, offset, length);
  } catch (error) {
    if (error instanceof EngineError && error.type === 'corrupt_index_exception') return undefined;
    throw error;
  }
}
