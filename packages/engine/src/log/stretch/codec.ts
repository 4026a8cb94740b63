// Who packs bytes? Whatever learns words from a sample, and packs unit by unit with them: the log knows no more of it, so
// that its tests can bring one of their own.

import { learnVocabulary } from '../packed/learn-vocabulary.ts';
import { WordPacking } from '../packed/word-packing.ts';

/** Words that were learnt. */
export interface VocabularyBytes {
  readonly crc: number;
  readonly bytes: Uint8Array;
}

/** Units that were packed, as `UnitPacking.pack` gives them. */
export interface Packed {
  readonly packed: Uint8Array;
  readonly ends: Uint32Array;
}

/** Packs and unpacks with one vocabulary. */
export interface UnitPacking {
  /**
   * `ends[i]`: where unit i of UNIT bytes (the last one may be shorter) ends in `packed`, which lies in `into`: that is as
   * large as the bytes, or those themselves. `between`: called now and then.
   */
  pack(bytes: Uint8Array, into?: Uint8Array, between?: () => void): Packed;
  /**
   * Puts the first `upTo` of the `length` bytes of a unit into `into` from `at` on. False: it is not what was packed, and
   * what is in its place says nothing. Nothing outside of its place is touched.
   */
  unpack(unit: Uint8Array, length: number, into: Uint8Array, at: number, upTo?: number): boolean;
}

/** A way of packing. */
export interface Codec {
  /** A vocabulary for bytes like these; undefined where packing does not pay. */
  learn(sample: Uint8Array): Uint8Array | undefined;
  /** Throws on bytes that are no vocabulary. */
  open(vocabulary: Uint8Array): UnitPacking;
}

/** Packs with the words of a sample: what the log uses. */
export const WORD_CODEC: Codec = {
  learn: learnVocabulary,
  open: (vocabulary) => new WordPacking(vocabulary),
};
