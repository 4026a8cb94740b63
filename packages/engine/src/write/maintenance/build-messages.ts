// Messages between the serving thread and the thread that builds segments: one job at a time. Large arrays
// lie in shared memory; messages hold views of them.
//
//   job ─>     <─ made (its size)     place ─>     <─ placed, or left out        or, instead of any answer,  <─ failed

import type { LentTail } from '../../tail/forward/lent-tail.ts';
import type { SegmentFiles } from '../segment-files/segment-store.ts';
import type { MovedSources } from './compaction.ts';

/** A segment to merge. */
interface MergeJobInput {
  readonly bytes: Uint8Array;
  readonly drop: Uint32Array | undefined;
  readonly moved: MovedSources | undefined;
}

/** A seal or a merge. */
export type BuildJob =
  | { readonly kind: 'seal'; readonly tail: LentTail; readonly newDoc: Int32Array | undefined }
  | { readonly kind: 'merge'; readonly inputs: readonly MergeJobInput[]; readonly oldest: number };

export type ToBuilder = BuildJob | { readonly kind: 'place'; readonly into: Uint8Array | undefined };

export type FromBuilder =
  | {
      readonly kind: 'made';
      readonly docCount: number;
      readonly byteLength: number;
      /** After a merge: the new document number by input and document. */
      readonly newDoc: readonly Int32Array[] | undefined;
    }
  | { readonly kind: 'placed'; readonly files: SegmentFiles }
  | { readonly kind: 'left out' }
  | { readonly kind: 'failed'; readonly message: string };
