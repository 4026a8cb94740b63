// What do the serving thread and the one that makes segments say to each other? One job at a time. Large things lie in
// shared memory: messages hold views of it.
//
//   job ─>     <─ made (its size)     place ─>     <─ placed, or left out        or, instead of any answer,  <─ failed

import type { LentTail } from '../../tail/forward/lent-tail.ts';
import type { SegmentFiles } from '../segment-files/segment-store.ts';
import type { MovedSources } from './compaction.ts';

/** A segment to merge. */
export interface MergeJobInput {
  readonly bytes: Uint8Array;
  readonly drop: Uint32Array | undefined;
  readonly moved: MovedSources | undefined;
}

/** What is asked for. */
export type BuildJob =
  | { readonly kind: 'seal'; readonly tail: LentTail; readonly newDoc: Int32Array | undefined }
  | { readonly kind: 'merge'; readonly inputs: readonly MergeJobInput[]; readonly oldest: number };

export type ToBuilder = BuildJob | { readonly kind: 'place'; readonly into: Uint8Array | undefined };

export type FromBuilder =
  | {
      readonly kind: 'made';
      readonly docCount: number;
      readonly byteLength: number;
      /** Of a merge: new numbers by input and document. */
      readonly newDoc: readonly Int32Array[] | undefined;
    }
  | { readonly kind: 'placed'; readonly files: SegmentFiles }
  | { readonly kind: 'left out' }
  | { readonly kind: 'failed'; readonly message: string };
