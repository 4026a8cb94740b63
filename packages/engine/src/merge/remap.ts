// New numbers of documents when segments merge: documents keep their order; dropped ones get -1.

import { hasBit } from '../kernels/bits.ts';
import type { SegmentLeaf } from '../segment/segment-leaf.ts';

/** A segment to merge, and a bitmap of its documents to drop. */
export interface MergeInput {
  readonly leaf: SegmentLeaf;
  readonly drop?: Uint32Array;
}

/** New numbers of all documents. */
export interface Remap {
  /** By input and old number; -1 for dropped documents. */
  readonly newDoc: readonly Int32Array[];
  readonly docCount: number;
  /** Whether any document is dropped. */
  readonly dropped: boolean;
}

/** Numbers the remaining documents. O(n). */
export function remapDocuments(inputs: readonly MergeInput[]): Remap {
  let next = 0;
  let total = 0;
  const newDoc = inputs.map(({ leaf, drop }) => {
    const map = new Int32Array(leaf.docCount);
    for (let doc = 0; doc < map.length; doc++)
      map[doc] = drop !== undefined && hasBit(drop, doc) ? -1 : next++;
    total += map.length;
    return map;
  });
  return { newDoc, docCount: next, dropped: next !== total };
}
