// Loads the segments of an index at a start, several at a time, the largest first. A damaged segment is left out:
// rebuild-segment.ts makes it again from the log.

import { DamagedSegment } from '../segment-files/deaths-file.ts';
import { LOADS_AT_ONCE } from '../segment-files/segment-loader.ts';
import type { SegmentEntry, SegmentMeta, SegmentStore } from '../segment-files/segment-store.ts';

/** What loading segments works with. */
export interface LoadingEnvironment {
  readonly store: SegmentStore;
  /** One line for each thing that was found damaged and mended. */
  readonly note: (line: string) => void;
}

/** A segment as its files have it. */
export interface LoadedSegment {
  readonly entry: SegmentEntry;
  /** False where what tells of it, should it be lost, is itself damaged. */
  readonly areSideFilesIntact: boolean;
}

/** The segments of an index, in their order; undefined for those whose files are damaged. */
export type LoadedSegments = readonly (LoadedSegment | undefined)[];

/**
 * Loads the segments of an index, several at a time, until `stopped`. Rejects with the first failure that is no damage of a
 * segment, once nothing is under way.
 */
export async function loadSegments(
  index: number,
  metas: readonly SegmentMeta[],
  env: LoadingEnvironment,
  stopped: () => boolean = () => false,
): Promise<LoadedSegments> {
  const loaded: (LoadedSegment | undefined)[] = new Array(metas.length).fill(undefined);
  // The largest first: they must not be what all others wait for at the end.
  const order = metas.map((_, i) => i).sort((a, b) => metas[b]!.bytes - metas[a]!.bytes);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < order.length && !stopped()) {
      const i = order[next++]!;
      loaded[i] = await loadSegment(index, metas[i]!, env);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: LOADS_AT_ONCE }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return loaded;
}

/** A segment as its files have it; undefined where they are damaged. */
async function loadSegment(
  number: number,
  meta: SegmentMeta,
  env: LoadingEnvironment,
): Promise<LoadedSegment | undefined> {
  try {
    const entry = await env.store.load(number, meta);
    return { entry, areSideFilesIntact: await env.store.areSideFilesIntact(number, meta) };
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
    env.note(`${error.message}: making it again from the log`);
    return undefined;
  }
}
