// What do the serving thread and the one that packs tell each other?

import type { Packed } from './codec.ts';

/** Asked of the thread; the bytes are given away. */
export type PackJob =
  | { readonly kind: 'learn'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'pack';
      readonly bytes: Uint8Array;
      /** The words to pack with from here on; undefined are those of the job before. */
      readonly vocabulary: Uint8Array | undefined;
    };

/** Answered in the order of the jobs. Undefined is what cannot be done. */
export type PackAnswer =
  | { readonly kind: 'learn'; readonly vocabulary: Uint8Array | undefined }
  | { readonly kind: 'pack'; readonly made: Packed | undefined };
