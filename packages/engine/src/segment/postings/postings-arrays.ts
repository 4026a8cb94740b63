// The sections of a field's postings as typed arrays (format.ts).

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** The arrays of a field's postings. */
export interface PostingsArrays {
  readonly termGroups: Uint32Array;
  readonly groups: Uint32Array;
  readonly lows: Uint16Array;
  readonly codes: Uint8Array;
  readonly blockMax: Uint8Array;
  readonly exceptions: Uint32Array;
  readonly dense: Uint32Array;
  readonly positionBytes: Uint8Array;
  readonly positionOffsets: Uint32Array;
  /** Empty in segments of version 1. */
  readonly positionHalves: Uint8Array;
  /** Empty in segments of versions 1 and 2. */
  readonly positionResidues: Uint8Array;
}

/** The postings of a field without an index. */
export const NO_POSTINGS: PostingsArrays = {
  termGroups: NO_WORDS,
  groups: NO_WORDS,
  lows: new Uint16Array(0),
  codes: NO_BYTES,
  blockMax: NO_BYTES,
  exceptions: NO_WORDS,
  dense: NO_WORDS,
  positionBytes: NO_BYTES,
  positionOffsets: NO_WORDS,
  positionHalves: NO_BYTES,
  positionResidues: NO_BYTES,
};
