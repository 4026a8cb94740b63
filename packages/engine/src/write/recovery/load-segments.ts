// Loads the segments of an index at a start, several at a time, the largest first. A damaged segment is left
// out: rebuild-segment.ts makes it again from the log.

import { DamagedSegment } from '../segment-files/deaths-file.ts';
import { LOADS_AT_ONCE } from '../segment-files/segment-loader.ts';
import type { SegmentEntry, SegmentMeta, SegmentStore } from '../segment-files/segment-store.ts';

/** What loading needs of the engine. */
export interface LoadingEnvironment {
  readonly store: SegmentStore;
  /** Gets one line for each damage that was found and repaired. */
  readonly note: (line: string) => void;
}

/** A loaded segment. */
interface LoadedSegment {
  readonly entry: SegmentEntry;
  /** False if the side files that a rebuild needs are damaged. */
  readonly areSideFilesIntact: boolean;
}

/** The segments of an index in order; undefined for damaged ones. */
export type LoadedSegments = readonly (LoadedSegment | undefined)[];

/**
 * Loads the segments of an index until `stopped`. Rejects with the first failure that is not damage of a
 * segment, once no load is running.
 */
export async function loadSegments(
  index: number,
  metas: readonly SegmentMeta[],
  env: LoadingEnvironment,
  stopped: () => boolean = () => false,
): Promise<LoadedSegments> {
  const loaded: (LoadedSegment | undefined)[] = new Array(metas.length).fill(undefined);
  // The largest first: a large one begun last would be waited for alone.
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

/** Undefined if its files are damaged. */
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
