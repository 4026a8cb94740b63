// The codec of the log: learns words from a sample and packs unit by unit with them. The log knows only this
// interface, so tests can bring a codec of their own.

import { learnVocabulary } from '../packed/learn-vocabulary.ts';
import { type PackedUnits, WordPacking } from '../packed/word-packing.ts';

/** An encoded vocabulary and its checksum. */
export interface VocabularyBytes {
  readonly crc: number;
  readonly bytes: Uint8Array;
}

/** Packs and unpacks with one vocabulary. */
export interface UnitPacking {
  /**
   * Packs units of UNIT bytes (the last one may be shorter). `ends[i]` is the end of unit i in `packed`,
   * which lies in `into`: an array as large as the bytes, or the bytes themselves. `between` is called now
   * and then.
   */
  pack(bytes: Uint8Array, into?: Uint8Array, between?: () => void): PackedUnits;
  /**
   * Writes the first `upTo` of the `length` bytes of a unit to `into` from `at` on. False if it is damaged:
   * then that range of `into` has undefined contents. Nothing outside it is touched.
   */
  unpack(unit: Uint8Array, length: number, into: Uint8Array, at: number, upTo?: number): boolean;
}

/** A codec. */
export interface Codec {
  /** A vocabulary for bytes like these; undefined if packing does not pay. */
  learn(sample: Uint8Array): Uint8Array | undefined;
  /** Throws if the bytes are not a vocabulary. */
  open(vocabulary: Uint8Array): UnitPacking;
}

/** The codec of the log: words of a sample. */
export const WORD_CODEC: Codec = {
  learn: learnVocabulary,
  open: (vocabulary) => new WordPacking(vocabulary),
};
