// Messages between the serving thread and the packing thread.

import type { PackedUnits } from '../packed/word-packing.ts';

/** A job; its bytes are transferred. */
export type PackJob =
  | { readonly kind: 'learn'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'pack';
      readonly bytes: Uint8Array;
      /** The vocabulary to pack with from here on; undefined: that of the job before. */
      readonly vocabulary: Uint8Array | undefined;
    };

/** Answers come in the order of the jobs; undefined if a job could not be done. */
export type PackAnswer =
  | { readonly kind: 'learn'; readonly vocabulary: Uint8Array | undefined }
  | { readonly kind: 'pack'; readonly made: PackedUnits | undefined };
